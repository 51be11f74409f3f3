"""What is added to a prompt after the one that assembles it has returned."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workbench.lanes.writers.composing import composed, operands
from workbench.lanes.writers.kinds import ASSIGNS, CALLS, GROWS, LISTS
from workbench.lanes.writers.reading import PUSHES, WRITES, Key, Reading
from workbench.lanes.writers.shape import arguments, assigned, callee, grows, named, receiver, stripped
from workbench.lanes.writers.tree import Tree
from workbench.lanes.writers.words import is_assembler, is_prompt, is_prompt_function, snake

__all__ = ["Lateness", "target_of"]


_BUILDS = re.compile(r"\A_?(?:build|render|compose|assemble|format|make|to_string|template)\Z")


@dataclass
class Lateness:
    """Names of a file that hold an assembled prompt, each with who assembled it and where."""

    reading: Reading
    assembled: dict[Key, tuple[int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: Reading) -> Lateness:
        """Reads the assignments in order, so that a name made of an assembled one is one too."""
        lateness = cls(reading)
        tree = reading.tree
        for at, kind in enumerate(tree.kinds):
            if kind in ASSIGNS:
                lateness._learn(at)
        return lateness

    def _learn(self, at: int) -> None:
        tree = self.reading.tree
        got = assigned(tree.nodes[at])
        if got is None:
            return
        target, value = got
        value = stripped(value)
        if value.kind() in CALLS and is_assembler(callee(value)):
            for name in re.findall(r"[\w.$]+", re.sub(r"\w+:(?=\w)", "", target)):
                self.assembled.setdefault(
                    self.reading.key(at, name), (at, f"after {callee(value)}() in line {tree.line(at)}")
                )
            return
        for name in operands(value):
            why = self.why(at, name)
            if why is not None and re.fullmatch(r"[\w.$]+", target):
                self.assembled.setdefault(self.reading.key(at, target), (at, why))
                return

    def why(self, at: int, name: str) -> str | None:
        """Who had assembled what is in this place by then; None: nobody."""
        for one in (name, re.split(r"[.\[?]", name, maxsplit=1)[0]):
            found = self.assembled.get(self.reading.key(at, one))
            if found is not None and found[0] < at:
                return found[1]
        return self._parameter(at, name)

    def _parameter(self, at: int, name: str) -> str | None:
        """A prompt that the function was handed was assembled by whoever calls it."""
        if is_prompt(name) == 0 or not name.isidentifier() or self._assembles(at):
            return None
        for function in self.reading.tree.functions_of(at):
            given = self.reading.tree.nodes[function].field("parameters")
            words = "" if given is None else given.text()[:2_000]
            if re.search(rf"[(,\s]{re.escape(name)}\??\s*[:,)=\s]", words):
                return f"the caller had assembled {name}"
        return None

    def _assembles(self, at: int) -> bool:
        """Whether the function around it is itself the one that puts the prompt together."""
        name = self.reading.tree.name_of(self.reading.function_of(at)) or ""
        return is_prompt_function(name) == 2 or is_assembler(name) or _BUILDS.match(snake(name)) is not None

    def of_site(self, at: int) -> str | None:
        """Why what the node at this place adds comes late; None: it does not."""
        tree = self.reading.tree
        target = target_of(tree, at)
        if target is not None and (tree.kinds[at] not in ASSIGNS or grows(tree.nodes[at])):
            return self.why(at, target)
        if tree.kinds[at] in CALLS | LISTS:
            return None
        got = assigned(tree.nodes[at]) if tree.kinds[at] in ASSIGNS else None
        if got is not None and composed(got[1]) is None:
            return None
        reasons = (self.why(at, name) for name in operands(got[1] if got is not None else tree.nodes[at]))
        return next((why for why in reasons if why is not None), None)


def target_of(tree: Tree, at: int) -> str | None:
    """What the node at this place writes to: `messages` of `messages.push(x)`; None: to no place."""
    node, kind = tree.nodes[at], tree.kinds[at]
    if kind in GROWS or (kind in ASSIGNS and grows(node)):
        left = node.field("left")
        return None if left is None else named(left)
    if kind in ASSIGNS:
        got = assigned(node)
        return got[0] if got is not None else None
    if kind in CALLS:
        found, given = receiver(node), arguments(node)
        if found is not None and found[1] in PUSHES | WRITES:
            return named(found[0])
        return named(given[0]).lstrip("&") if given and callee(node) in ("append", "fmt.Fprintf") else None
    return None
