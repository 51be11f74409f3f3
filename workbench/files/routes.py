"""Route files of embedding routers: each route's name, and the utterances that stand for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import Mark
from workbench.files.fields import read_fields
from workbench.files.node import Node, NodeKind
from workbench.files.parse import load
from workbench.files.problems import Problems, shown

__all__ = ["Route", "RouteTable", "load_routes"]

_KNOWN = ("name", "utterances", "threshold", "description")


@dataclass(frozen=True, slots=True)
class Route:
    """`threshold` None: the router's own."""

    name: str
    utterances: tuple[str, ...]
    threshold: float | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class RouteTable:
    """The routes of one file, in its order."""

    routes: tuple[Route, ...]
    file: str = ""


def load_routes(path: Path) -> RouteTable:
    """One file of routes. Raises WorkbenchError with all that is wrong with it."""
    problems = Problems()
    fields = read_fields(load(path, problems), problems, ("routes",), ("routes",))
    listed = fields.get("routes")
    if listed is not None and listed.kind is NodeKind.LIST and not listed.items:
        listed.complain(problems, "no route stands here", "name one: {name: mail, utterances: [send a mail]}")
    names: dict[str, Mark] = {}
    said: dict[str, tuple[str, Mark]] = {}
    routes = tuple(_route(node, names, said, problems) for node in fields.listed("routes"))
    problems.check()
    return RouteTable(routes, str(path))


def _route(
    node: Node, names: dict[str, Mark], said: dict[str, tuple[str, Mark]], problems: Problems
) -> Route:
    """One route. `names` and `said` hold what the ones before it are called and say; its own are added."""
    fields = read_fields(node, problems, _KNOWN, ("name", "utterances"))
    name, given = fields.word("name") or "", fields.get("name")
    if given is not None and name:
        first = names.setdefault(name, given.mark)
        if first != given.mark:
            problems.add(given.mark, f"a second route {shown(name)}", f"first at line {first.line}")
    listed = fields.get("utterances")
    if listed is not None and listed.kind is NodeKind.LIST and not listed.items:
        listed.complain(problems, "no utterance stands here", "give one, or take the route away")
    utterances = [_utterance(item, name, said, problems) for item in fields.listed("utterances")]
    return Route(
        name,
        tuple(text for text in utterances if text is not None),
        fields.number("threshold"),
        fields.text("description"),
    )


def _utterance(node: Node, route: str, said: dict[str, tuple[str, Mark]], problems: Problems) -> str | None:
    """An utterance. The same one in two routes would let their order decide."""
    text = node.word(problems)
    if text is None:
        return None
    owner, first = said.setdefault(text, (route, node.mark))
    if first != node.mark:
        whose = "stands here twice" if owner == route else f"stands for another route already: {shown(owner)}"
        problems.add(node.mark, f"{shown(text)} {whose}", f"first at line {first.line}")
    return text
