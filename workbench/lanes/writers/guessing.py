"""What the names round a writer tell of its lane: what to call it, and whose words it may carry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from workbench.lanes.lane import Trust
from workbench.lanes.name import is_plain_name
from workbench.lanes.writers.site import Site

__all__ = ["guessed_name", "guessed_trust", "words_of"]

_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_HEADING = re.compile(r"(?:\A|['\"`]|\\n|\n)\s*#{1,4}\s+([A-Z][\w' -]{2,40})")
_DOES = re.compile(
    r"\A(?:(?:build|make|create|add|append|push|get|load|fetch|format|render|inject|insert|write|prepare|compose|assemble"
    r"|construct|generate|convert|normalize|normalise|handle|run|do|apply|attach|with|to|maybe|ensure|set|update|send|call|async|on)_)+(?=\w)"
)
# What alone is put in: `content: scope`, "so far: {summary}", `+ notes;`
_VALUE = re.compile(
    r"\bcontent['\"]?\s*[:=]\s*([A-Za-z_]\w*)\s*[,})\[;]|\{\s*([A-Za-z_]\w*)\s*[}\[.]"
    r"|\+=?\s*([A-Za-z_]\w*)\s*;?\s*\Z"
)
_GENERAL = {
    "content",
    "text",
    "msg",
    "message",
    "messages",
    "prompt",
    "data",
    "value",
    "item",
    "part",
    "parts",
}
_GENERAL |= {"body", "self", "this", "args", "out", "str", "obj", "input"}
_KEPT = 40

# Whose words, by a word of the names; the first trust that has one of them.
_WORDS: tuple[tuple[Trust, str], ...] = (
    (
        Trust.CHILD,
        "child children subagent subagents subtask worker workers daemon hook hooks delegate delegated",
    ),
    (
        Trust.TOOL,
        "tool tools result results output outputs page pages web search url urls html document documents doc"
        " docs attachment attachments attached file files chunk chunks retrieved retrieval rag passage"
        " passages snippet snippets mcp email emails channel webhook scraped crawled ocr transcript quoted"
        " issue issues diff log logs stdout stderr",
    ),
    (
        Trust.MODEL,
        "summary summaries summarized assistant reply replies completion reflection thought thoughts plan",
    ),
    (
        Trust.OWNER,
        "user owner operator typed query question questions memory memories preference preferences profile"
        " note notes",
    ),
    (
        Trust.POLICY,
        "system rule rules policy policies instruction instructions guideline guidelines preamble persona"
        " guard guardrail guardrails scope bootstrap identity example examples shots",
    ),
)
_TRUSTS = tuple((trust, frozenset(words.split())) for trust, words in _WORDS)


def words_of(text: str) -> list[str]:
    """The words of names, lower case: `pageText` and `page_text` are page and text."""
    return [word.lower() for word in _WORD.findall(text)]


def guessed_name(site: Site) -> str:
    """What a lane of this writer may be called: by its fence, its heading, its function, or its file."""
    for found in _namings(site):
        name = _plain(found)
        if name is not None:
            return name
    return "writer"


def guessed_trust(site: Site, name: str) -> tuple[Trust, str] | None:
    """Whose words it carries, and the word that tells; None where none does.

    Names tell before code does: what is nearest to the text counts first.
    """
    for text in (name, site.fence or "", _last(site.function), site.text[:2_000]):
        words = words_of(text)
        for trust, known in _TRUSTS:
            told = next((word for word in words if word in known), None)
            if told is not None:
                return trust, told
    return None


def _namings(site: Site) -> Iterator[str]:
    if site.fence is not None and (tag := re.fullmatch(r"<([\w-]+)>", site.fence)):
        yield tag[1]
    if heading := _HEADING.search(site.text):
        yield heading[1]
    if (value := _VALUE.search(site.text)) is not None:
        put_in = str(value[value.lastindex or 0])
        if len(put_in) > 2 and not _GENERAL.issuperset(words_of(put_in)):
            yield put_in
    if not site.function.startswith("<"):
        yield _DOES.sub("", "_".join(words_of(_last(site.function))))
    yield PurePosixPath(site.file).stem


def _last(function: str) -> str:
    return re.split(r"\.|::", function)[-1]


def _plain(text: str) -> str | None:
    name = re.sub(r"\A[^a-z]+", "", "_".join(words_of(text)))[:_KEPT].rstrip("_")
    return name if is_plain_name(name) else None
