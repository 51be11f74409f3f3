"""The keyword table as a router: which phrase matched, where, in whose region."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from workbench.adapters.phrases import PhraseIndex, PhraseMatch, sentence_edges
from workbench.adapters.protocol import (
    Answer,
    Capabilities,
    Option,
    OptionType,
    Place,
    Request,
)
from workbench.core.decision import Decision, Match, Outcome, Span, ToolCall, Window, WindowSource
from workbench.core.trial import Status
from workbench.core.turn import Turn
from workbench.files.keywords import KeywordTable, Scan, Verdict, load_keywords

__all__ = ["KeywordAdapter", "KeywordRouter"]


class KeywordRouter:
    """A loaded table, ready to decide. Pure: the same turn gives the same decision."""

    def __init__(self, table: KeywordTable) -> None:
        self._table = table
        entries = [(phrase.text, entry) for entry in table.keywords for phrase in entry.phrases]
        self._entries = [entry for _, entry in entries]
        self._calls = {entry.tool: ToolCall(entry.tool) for entry in table.keywords}
        self._written = [text for text, _ in entries] + [phrase.text for phrase in table.hold]
        self._index = PhraseIndex(self._written)

    def decide(self, turn: Turn) -> Decision:
        """Hold on any hold phrase; else fire every distinct tool in order of first match; else pass."""
        start, end = scan_span(turn.text, self._table.scan)
        scanned = turn.text[start:end]
        found = self._index.find(scanned)
        tools = [match for match in found if match.phrase < len(self._entries)]
        calls = tuple(
            self._calls[name] for name in dict.fromkeys(self._entries[m.phrase].tool for m in tools)
        )
        outcome, note = self._judge(scanned, found, tools)
        return Decision(
            outcome,
            calls if outcome is not Outcome.PASS else (),
            windows=(Window(scanned, WindowSource.REPORTED, ((start, end),)),),
            matches=tuple(
                Match(self._written[m.phrase], scanned[m.start : m.end], start + m.start, start + m.end)
                for m in found
            ),
            note=note,
        )

    def _judge(
        self, scanned: str, found: list[PhraseMatch], tools: list[PhraseMatch]
    ) -> tuple[Outcome, str | None]:
        held = next((match for match in found if match.phrase >= len(self._entries)), None)
        if held is not None:
            return Outcome.HOLD, f'hold phrase "{self._written[held.phrase]}"'
        if not tools:
            return Outcome.PASS, None
        if self._table.prose is Verdict.HOLD:
            for match in tools:
                if not any(sentence_edges(scanned, match.start, match.end)):
                    return Outcome.HOLD, f'"{self._written[match.phrase]}" stands inside prose'
        if self._table.guessed is Verdict.HOLD:
            guessed = next((m for m in tools if self._entries[m.phrase].side_effects), None)
            if guessed is not None:
                tool = self._entries[guessed.phrase].tool
                return Outcome.HOLD, f"{tool} has side effects, and a keyword gives it no arguments"
        return Outcome.FIRE, None


def scan_span(text: str, scan: Scan) -> Span:
    """The span of the turn's text that a table reads. A turn's text is its last message."""
    if scan in (Scan.ALL, Scan.LAST_MESSAGE):
        return 0, len(text)
    lines: list[Span] = []
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            lines.append((at, at + len(line.rstrip("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))))
            if scan is Scan.FIRST_LINE:
                break
        at += len(line)
    if not lines:
        return 0, 0
    return lines[0] if scan is Scan.FIRST_LINE else lines[-1]


class KeywordAdapter:
    """Routes by a keyword table of the workspace."""

    summary: ClassVar[str] = "a keyword table: phrases that fire tools, phrases that hold"
    options: ClassVar[tuple[Option, ...]] = (
        Option("table", OptionType.PATH, "the keyword table, a YAML file", required=True),
        Option("concurrency", OptionType.INTEGER, "calls at once", default=1),
        Option("timeout", OptionType.NUMBER, "seconds for one call", default=10),
    )

    def __init__(
        self, name: str, place: Place, *, table: str, concurrency: int = 1, timeout: float = 10
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self.timeout = timeout
        self.capabilities = Capabilities(reports_window=True)
        self._path = Path(table)
        self._router = KeywordRouter(load_keywords(self._path))

    async def open(self) -> None:
        """Nothing to start."""

    async def decide(self, request: Request) -> Answer:
        return Answer(Status.OK, self._router.decide(request.turn))

    async def close(self) -> None:
        """Nothing to end."""

    def fingerprint(self) -> Mapping[str, str]:
        return {"table": sha256(self._path.read_bytes()).hexdigest()[:16]}
