"""The functions that an injector spells, and what the file that it names does with sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.lanes.emits.doing import CALLS, How, does
from workbench.lanes.emits.sources import Sources
from workbench.lanes.emits.standing import FUNCTIONS
from workbench.lanes.syntax.code import Place, below

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["Spelled", "lacking", "size_logged", "spelled_in"]

_FILE = r"(?P<path>(?:[\w.@~-]+/)*[\w.@-]+\.(?:pyw?|[mc]?[jt]s|[jt]sx|rs|go))"
_NAME = r"(?P<name>[^\W\d]\w*)"
# `src/a.ts:load`, `a.rs::load`, `a.py#load`, or `a.ts load` where the word can only be an identifier.
_JOINED = re.compile(rf"(?<![\w./-]){_FILE}(?:::?|#|@){_NAME}(?:\.(?P<method>[^\W\d]\w*))?(?![\w/])")
_BESIDE = re.compile(rf"(?<![\w./-]){_FILE}\s+`?{_NAME}(?P<call>\(\))?`?(?=[\s,;).]|\Z)")
_SHAPED = re.compile(
    r"_\w+\Z|[a-z0-9]+(?:[A-Z][a-z0-9]*)+\Z|[a-z0-9]+(?:_[a-z0-9]+)+\Z|(?:[A-Z][a-z0-9]+){2,}\Z"
)
_SIZE = re.compile(
    r"\.length\b|\blen\(|\.len\(\)|byteLength|\b\w*(?:chars?|size|bytes|length|tokens?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A function as an injector spells it. `joined`: to its file, so that no other word can be meant."""

    path: str
    name: str
    joined: bool


def spelled_in(injector: str) -> Iterator[Spelled]:
    """The functions that stand directly behind a file of source code."""
    for match in _JOINED.finditer(injector):
        yield Spelled(match["path"], match["method"] or match["name"], True)
    for match in _BESIDE.finditer(injector):
        if match["call"] or _SHAPED.match(match["name"]):
            yield Spelled(match["path"], match["name"], False)


def lacking(sources: Sources, spelled: Spelled) -> str | None:
    """The file that a function is not in, where that is certain: one file of that path, read without an error
    in which the name does not even occur."""
    found = sources.called(spelled.path)
    if len(found) != 1 or found[0].error is not None:
        return None
    word = re.compile(rf"(?<!\w){re.escape(spelled.name)}(?!\w)")
    return None if word.search(found[0].text) else found[0].name


def size_logged(sources: Sources, injector: str, paths: list[str], alone: bool) -> Place | None:
    """Where the injector's function, or its file if that is of this lane `alone`, logs a size."""
    spelled = list(spelled_in(injector))
    for path in paths:
        for code in sources.called(path):
            names = {one.name for one in spelled if one.path == path}
            roots: list[SgNode] = [code.root] if alone else []
            if names:
                roots = [one for one in below(code.root) if _is_called(one, names)]
            for root in roots:
                for call in below(root):
                    if call.kind() in CALLS and _logs_size(call):
                        return code.place(call)
    return None


def _is_called(node: SgNode, names: set[str]) -> bool:
    if node.kind() not in FUNCTIONS:
        return False
    parent = node.parent()
    name = node.field("name") or (parent.field("name") if parent is not None else None)
    return name is not None and name.text() in names


def _logs_size(call: SgNode) -> bool:
    arguments = call.field("arguments") or next(
        (one for one in call.children() if one.kind() == "token_tree"), None
    )
    return arguments is not None and does(call, None) is How.LOG and bool(_SIZE.search(arguments.text()))
