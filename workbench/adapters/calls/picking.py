"""A service's own answer, picked apart by paths into the shape that every answer is judged in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from workbench.adapters.calls.reading import Nothing, Path, PathError, parse_path
from workbench.adapters.calls.session import Received
from workbench.adapters.normalise import normalise
from workbench.core.decision import Json
from workbench.core.text import visible
from workbench.core.trial import Status
from workbench.wire.codec import Reply
from workbench.wire.strict import NotJson, unique
from workbench.wire.waiting import wait_of

__all__ = ["FIELDS", "Picked", "Picking", "picking_of"]

FIELDS = ("outcome", "tool", "tools", "arguments", "window", "spans", "scores", "matches", "note")
"""What a path may be given for."""

_DECIDING = ("outcome", "tool", "tools")
_TURNED_AWAY = (401, 403, 407)
_BUSY = (429, 503, 529)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Picking:
    """Paths by field; or one path to an answer that is in an accepted shape already; or none of both.

    `outcomes` says which of fire, hold and pass the service's own words mean.
    """

    paths: Mapping[str, Path] = field(default_factory=dict)
    whole: Path | None = None
    outcomes: Mapping[str, str] = field(default_factory=dict)

    @property
    def decides(self) -> bool:
        """Whether answers say what was decided; else they tell a window alone."""
        return not self.paths or any(name in self.paths for name in _DECIDING)

    def shaped(self, body: Json) -> Json:
        """What `normalise` is to judge. Raises LookupError, with the reason, where nothing is reported."""
        if self.whole is not None:
            found = self.whole.of(body)
            if found is Nothing.NOT_REPORTED:
                raise LookupError(f"{self.whole.text} is not in the answer")
            return None if isinstance(found, Nothing) else found
        return self._picked(body) if self.paths else body

    def _picked(self, body: Json) -> Json:
        found = {name: path.of(body) for name, path in self.paths.items()}
        deciding = [name for name in _DECIDING if name in self.paths]
        if deciding and all(found[name] is Nothing.NOT_REPORTED for name in deciding):
            first, *more = (self.paths[name].text for name in deciding)
            raise LookupError(
                f"neither {first} nor {more[0]} is in the answer" if more else f"{first} is not in the answer"
            )
        told = {name: value for name, value in found.items() if not isinstance(value, Nothing)}
        shape: dict[str, Json] = {
            key: told[name]
            for name, key in (
                ("window", "scanned"),
                *((n, n) for n in ("spans", "scores", "matches", "note")),
            )
            if name in told
        }
        outcome = told.get("outcome")
        if outcome is not None:
            shape["outcome"] = self.outcomes.get(outcome, outcome) if isinstance(outcome, str) else outcome
        calls = told.get("tools", told.get("tool"))
        if calls is not None or outcome is None:
            shape["calls"] = _calls(calls, told.get("arguments"), each=self._is_many("arguments"))
        if not deciding:
            shape = {"outcome": "pass", **shape}
        return shape

    def _is_many(self, name: str) -> bool:
        return name in self.paths and self.paths[name].many


def _calls(names: Json, arguments: Json, *, each: bool) -> Json:
    """Calls with their arguments. `each`: these are a list, one for every call, in their order."""
    if names is None or names == "":
        return []
    several = list(names) if isinstance(names, list | tuple) else [names]
    if arguments is None:
        return several
    own = list(arguments) if each and isinstance(arguments, list | tuple) else [arguments] * len(several)
    own += [None] * (len(several) - len(own))
    return [
        {"name": name, "arguments": given} if isinstance(name, str) else name
        for name, given in zip(several, own, strict=False)
    ]


def picking_of(read: Json, outcomes: Mapping[str, str]) -> tuple[Picking, list[str]]:
    """The rule that the option `read` says, and what is wrong with it."""
    problems: list[str] = []
    if read is None:
        return Picking(), problems
    if isinstance(read, str):
        whole = _path("read", read, problems)
        return Picking(whole=whole, outcomes=outcomes), problems
    if not isinstance(read, Mapping) or not read:
        known = "expected a path, or a mapping such as {outcome: data.action, tool: data.tools[0].name}"
        return Picking(), [f"read: {known}"]
    paths: dict[str, Path] = {}
    for name, text in read.items():
        if name not in FIELDS:
            problems.append(f"read.{name}: {name!r} is no field; expected one of {', '.join(FIELDS)}")
        elif not isinstance(text, str):
            problems.append(f"read.{name}: expected a path such as data.{name}")
        elif path := _path(f"read.{name}", text, problems):
            paths[name] = path
    if "tool" in paths and "tools" in paths:
        problems.append("read.tools: it says the same as read.tool; take one of the two")
    if "arguments" in paths and not {"tool", "tools"} & set(read):
        problems.append("read.arguments: arguments belong to a tool; add `tool`")
    return Picking(paths, None, outcomes), problems


def _path(where: str, text: str, problems: list[str]) -> Path | None:
    try:
        return parse_path(text)
    except PathError as error:
        problems.append(f"{where}: {error}")
        return None


@dataclass(frozen=True, slots=True)
class Picked:
    """Reads the answers to one turn."""

    picking: Picking
    turn: str

    def reader(self, http: int, headers: Mapping[str, str]) -> None:
        """Answers are read as a whole."""

    def whole(self, received: Received) -> Reply:
        """A decision out of a body of JSON; any status but 2xx is an error."""
        text = received.body.decode("utf-8", "surrogateescape")
        if not 200 <= received.http < 300:
            return _failed(received, text)
        try:
            body = json.loads(received.body, object_pairs_hook=unique) if received.body.strip() else None
        except NotJson as error:
            return Reply(Status.MALFORMED, error=f"the answer cannot be read: {error}", raw=text)
        except (ValueError, RecursionError) as error:
            kind = received.headers.get("content-type", "no content type")
            said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            return Reply(Status.MALFORMED, error=f"the answer ({kind}) is no JSON: {said}", raw=text)
        if body is None and not received.body.strip() and received.http != 204:
            return Reply(Status.MALFORMED, error="the answer is empty; expected JSON", raw=text)
        try:
            shape = self.picking.shaped(body)
        except LookupError as error:
            return Reply(Status.MALFORMED, error=str(error.args[0]), raw=text)
        read = normalise(shape, turn=self.turn)
        if read.decision is None:
            return Reply(Status.MALFORMED, error=read.error, raw=text)
        kept = read.decision.raw and text  # what came is evidence, not what was made of it
        return Reply(Status.OK, replace(read.decision, raw=kept))


def _failed(received: Received, text: str) -> Reply:
    said = " ".join(text.split())
    error = f"HTTP {received.http}" + (f": {visible(said[:_SHOWN])}" if said else "")
    if received.http in _TURNED_AWAY:
        error += "; name a key with `key: {env: NAME}`, or look at the one named"
    again = received.http in _BUSY
    return Reply(
        Status.ERROR,
        error=error,
        raw=text or None,
        again=again,
        fatal=received.http in _TURNED_AWAY,
        wait=wait_of(received.headers) if again else None,
    )
