"""Which calls are a router's or a classifier's: by the names that the user gives, or by guessing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from workbench.lanes.joins.names import words
from workbench.lanes.joins.wordlist import word_set

__all__ = ["Routers", "dotted"]

from workbench.lanes.joins import tree as t

_INTENT = frozenset({"intent", "intents"})
_ASKING = word_set(
    """
    detect classify get predict parse recognize recognise match infer identify find extract
    """
)
_CHOOSING = word_set("select choose pick decide plan match determine suggest")
_CHOSEN = word_set(
    """
    tool tools route routes agent skill skills action destination workflow handler
    """
)
_CLASSES = word_set("router classifier classify")
_LAYERS = re.compile(r"router|classifier|route_?layer|intent", re.IGNORECASE)
_WEB = word_set(
    """
    get post put delete patch use all param head options push replace back prefetch refresh
    include_router add_api_route add_route register mount events ready route url_for websocket on
    beforeeach aftereach go navigate isready currentroute resolve add api_route message
    callback_query middleware extend append include errors
    """
)
_RUNS = word_set(
    """
    call run invoke ainvoke predict decide match process handle guide select choose infer evaluate
    acall aroute determine detect score
    """
)

_GUESSABLE = re.compile(
    r"rout|classif|triage|intent|is_?conversational|needs_?(?:tools|search)|should_?search|guide|"
    r"(?:select|choose|pick|decide|plan|match|determine|suggest)\w{0,24}?"
    r"(?:tool|skill|agent|action|destination|workflow|handler)",
    re.IGNORECASE,
)
_HANDED = frozenset({"classify", "detect", "pick", "select", "choose"})
_SETS_UP = tuple(
    (word,) for word in ("add", "set", "load", "save", "create", "from", "to", "with", "fit", "train")
)


@dataclass(frozen=True, slots=True)
class Routers:
    """`names` are the last parts of those given; without any, `guesses` decides."""

    names: frozenset[str] = frozenset()

    @property
    def guessed(self) -> bool:
        return not self.names

    def is_router(self, callee: str) -> bool:
        """`callee` as `dotted` writes it."""
        if self.names:
            return callee.rsplit(".", 1)[-1] in self.names
        return guesses(callee)

    def may_stand_in(self, text: str) -> bool:
        """Whether a file of this text may call one; where it does not, it does not."""
        if self.names:
            return any(name in text for name in self.names)
        return _GUESSABLE.search(text) is not None

    def is_given(self, value: str, function: bool) -> bool:
        """Whether a name that is handed to a call is a router to be called, and not what a router gave.

        `function`: it is known to be one.
        """
        named = words(value.rsplit(".", 1)[-1])
        sure = not self.guessed or function or (len(named) > 1 and named[0] in _HANDED)
        return sure and self.is_router(value)


@cache
def guesses(callee: str) -> bool:
    """Whether the name is one that routers and classifiers are often given."""
    path = [part for part in callee.split(".") if part not in ("", "()")]
    if not path:
        return False
    last = path[-1]
    if len(path) > 1 and _LAYERS.search(path[-2]) and path[-2][:3] != "use":
        if last.lower() in _RUNS or words(last)[:1] in (("route",), ("classify",), ("guide",), ("detect",)):
            return True
        if last.lower() in _WEB:
            return False
        if words(path[-2])[-1:] in (("router",), ("classifier",)) and words(last)[:1] not in _SETS_UP:
            return not last[:1].isupper()
    parts = words(last)
    if not parts or last[:1].isupper():
        return False
    if parts[0][:1] == "a" and parts[0][1:] in _CHOOSING | _ASKING:  # apick_tool, aclassify
        parts = (parts[0][1:], *parts[1:])
    if parts[0] in ("route", "reroute") and len(parts) <= 3:
        return not (len(path) > 1 and path[-2] in ("app", "api", "bp", "blueprint", "express"))
    if parts[0] in ("classify", "triage") or parts[-1] in ("router", "classifier"):
        return parts[0] not in ("get", "create", "make", "use", "build", "include", "add", "set", "init")
    if set(parts) & _INTENT and set(parts) & _ASKING:
        return True
    if parts[:2] in (("is", "conversational"), ("needs", "tools"), ("needs", "search"), ("should", "search")):
        return True
    return len(parts) > 1 and parts[0] in _CHOOSING and bool(set(parts[1:]) & _CHOSEN)


def dotted(callee: t.Expr) -> str:
    """How a callee is named: `a.b.c`, with `()` for a part that is the result of a call."""
    names: list[str] = []
    while True:
        if isinstance(callee, t.Attr):
            names.append(callee.name)
            callee = callee.base
        elif isinstance(callee, t.Call):
            names.append("()")
            callee = callee.func
        elif isinstance(callee, t.Name):
            names.append(callee.id)
            break
        else:
            names.append("")
            break
    return ".".join(reversed(names))
