"""A scenario file as an edit finds it, and the check that an edit did what it was meant to, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.scenario import Attach, Expectation, Prompt, Scenario
from workbench.files.edit.layout import Layout, Splice
from workbench.files.node import Node
from workbench.files.scenario import read_scenario
from workbench.files.source import decode, read_bytes, source_of

__all__ = ["Page", "open_page", "value_of"]

_NOWHERE = Mark("")


@dataclass(frozen=True)
class Page:
    """A scenario file that loads. `data` is what stood on disk, for `save` to compare.

    `path` is the file as messages name it, `root` the workspace.
    """

    path: Path
    root: Path
    data: bytes

    @cached_property
    def layout(self) -> Layout:
        return Layout(decode(self.data, str(self.path)), str(self.path))

    @cached_property
    def scenario(self) -> Scenario:
        """What the file says. Raises WorkbenchError where it is broken."""
        return read_scenario(self.layout.source, self.root)

    def prompt(self, label: str) -> tuple[int, Prompt, Node]:
        """The prompt of a label: its place from 0, and the value. Raises WorkbenchError without one."""
        for number, prompt in enumerate(self.scenario.prompts):
            if prompt.label == label:
                found = value_of(self.layout.root, "prompts")
                assert found is not None
                node = found[1].items[number]
                if self.layout.source.text.startswith("*", node.start):
                    raise self._refusal(prompt.mark.line, "an alias stands for this prompt")
                return number, prompt, node
        raise WorkbenchError(f'the scenario "{self.scenario.name}" has no prompt "{label}" any more')

    def edited(self, splices: Iterable[Splice], wanted: Scenario, line: int) -> str:
        """The text with the splices. Raises WorkbenchError where it would not load as `wanted`."""
        text = self.layout.spliced(splices)
        try:
            loaded = read_scenario(source_of(text, str(self.path)), self.root)
        except WorkbenchError as error:
            raise self._refusal(line, error.problems[0].message) from None
        if _plain(loaded) != _plain(wanted):
            raise self._refusal(line, "something else would change with it")
        return text

    def _refusal(self, line: int, why: str) -> WorkbenchError:
        message = f"this cannot be edited in place here: {why}"
        return WorkbenchError(Problem(message, Mark(str(self.path), line), "edit the file by hand"))


def open_page(path: Path, root: Path) -> Page:
    """A scenario file, read. Raises WorkbenchError where it is broken: such a file is not edited."""
    page = Page(path, root, read_bytes(path))
    _ = page.scenario
    return page


def value_of(mapping: Node, key: str) -> tuple[Node, Node] | None:
    """The key and the value of that name in a mapping."""
    return next((pair for pair in mapping.pairs if pair[0].value == key), None)


def _plain(scenario: Scenario) -> Scenario:
    """The scenario without what follows from where things stand."""
    return replace(
        scenario,
        prompts=tuple(map(_plain_prompt, scenario.prompts)),
        accept=tuple(replace(entry, mark=_NOWHERE) for entry in scenario.accept),
        marks={},
    )


def _plain_prompt(prompt: Prompt) -> Prompt:
    place: Callable[[Attach], Attach] = lambda file: replace(file, mark=_NOWHERE)  # noqa: E731
    return replace(
        prompt,
        mark=_NOWHERE,
        attach=tuple(map(place, prompt.attach)),
        paste=place(prompt.paste) if prompt.paste else None,
        expect=_plain_expectation(prompt.expect),
    )


def _plain_expectation(expect: Expectation | None) -> Expectation | None:
    return replace(expect, spelled="") if expect else None
