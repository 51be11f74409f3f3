"""A file as it is edited on the screen: where it comes from, how it is checked, how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.cell import Delivery
from workbench.core.envelope import Envelope
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.scenario import Prompt, Scenario
from workbench.files.edit.layout import Layout
from workbench.files.edit.page import open_page, value_of
from workbench.files.edit.save import create, save
from workbench.files.edit.scenario import add_prompt, free_id
from workbench.files.envelope import read_envelope
from workbench.files.parse import parse
from workbench.files.problems import Problems
from workbench.files.scenario import read_scenario
from workbench.files.source import decode, read_bytes, source_of

__all__ = [
    "Checked",
    "Draft",
    "Kind",
    "beside",
    "check",
    "draft_of_file",
    "draft_of_prompt",
    "new_draft",
    "on_disk",
    "prompt_at",
    "write",
]

MOST = 400_000
"""Characters of a file that are edited on the screen; a bigger one is for the user's own editor."""

LONGEST = 20_000
"""Characters of its longest line."""

_BOM = "\ufeff"


class Kind(StrEnum):
    """What a file holds, as far as the editor checks it."""

    SCENARIO = "scenario"
    ENVELOPE = "envelope"
    OTHER = "file"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text on its way to a file. `before` is what the file held; None where there is no file yet.

    `text` is the text to begin with: line feeds alone, no byte order mark. `line` and `column` count from 1.
    """

    path: Path
    root: Path
    kind: Kind
    text: str
    before: bytes | None
    line: int = 1
    column: int = 1
    saved: str = ""
    """The text of the file as it was read, to tell whether anything would be lost."""
    _bom: bool = False
    _crlf: bool = False

    @property
    def shown_path(self) -> str:
        """The path from the workspace's folder, raw."""
        absolute = self.path.absolute()
        return str(absolute.relative_to(self.root)) if absolute.is_relative_to(self.root) else str(self.path)

    def whole(self, text: str) -> str:
        """An edited text as it goes to the file: with the line ends and the mark that the file had."""
        body = text.replace("\n", "\r\n") if self._crlf else text
        return _BOM + body if self._bom else body

    def written(self, text: str) -> Draft:
        """The draft after its text was written."""
        return replace(self, before=self.whole(text).encode(), text=text, saved=text)

    def held(self, data: bytes | None) -> Draft:
        """The draft as one of a file that holds `data` by now."""
        return replace(self, before=data)

    def would_lose(self, text: str) -> bool:
        """Whether something that a person wrote would be gone if the text were let go of."""
        return text not in (self.text, self.saved)


def draft_of_file(
    path: Path, root: Path, line: int = 1, column: int = 1, otherwise: str = "open it in your own editor"
) -> Draft:
    """A file of the workspace, as it stands.

    Raises WorkbenchError where it cannot be edited here; `otherwise` says what can be done instead.
    """
    data = read_bytes(path)
    text = decode(data, str(path))
    bom, body = text.startswith(_BOM), text.removeprefix(_BOM)
    # Line ends that are not all alike stay in the text, and are seen there.
    crlf = "\r\n" in body and body.count("\n") == body.count("\r\n")
    body = body.replace("\r\n", "\n") if crlf else body
    if len(body) > MOST or max(map(len, body.split("\n"))) > LONGEST:
        message = f"{path.name} is too big to be edited on this screen"
        raise WorkbenchError(Problem(message, hint=otherwise))
    return Draft(path, root, _kind(path, root), body, data, line, column, body, bom, crlf)


def new_draft(path: Path, root: Path, text: str, line: int = 1, column: int = 1) -> Draft:
    """A file that is not there yet."""
    return Draft(path, root, _kind(path, root), text, None, line, column, text)


def draft_of_prompt(path: Path, root: Path, label: str) -> Draft:
    """The file of a scenario with one more prompt behind another, like that one. Raises WorkbenchError.

    Nothing is written.
    """
    page = open_page(path, root)
    _, prompt, _ = page.prompt(label)
    name = free_id(page.scenario, prompt.id or prompt.text)
    text = add_prompt(page, replace(prompt, id=name, label=name), label)
    line, column = _place_of_text(text, path, root, name)
    file = draft_of_file(path, root, line, column)
    if page.data != file.before:
        raise WorkbenchError(Problem(f"{path.name} is being changed by someone else", hint="try again"))
    body = text.removeprefix(_BOM)
    return replace(file, text=body.replace("\r\n", "\n") if file._crlf else body)


def _place_of_text(text: str, path: Path, root: Path, label: str) -> tuple[int, int]:
    """Where the words of a prompt begin, behind an opening quote."""
    layout = Layout(text, str(path))
    scenario = read_scenario(layout.source, root)
    number = next(n for n, prompt in enumerate(scenario.prompts) if prompt.label == label)
    listed = value_of(layout.root, "prompts")
    found = value_of(listed[1].items[number], "text") if listed else None
    assert found is not None
    mark = layout.source.mark(found[1].start + (found[1].style in ("'", '"')))
    return mark.line, mark.column


def _kind(path: Path, root: Path) -> Kind:
    if path.parent.name == "envelopes":
        return Kind.ENVELOPE
    inside = path.absolute().is_relative_to(root.absolute() / "scenarios")
    return Kind.SCENARIO if inside or path.parent.name == "scenarios" else Kind.OTHER


class Checked(NamedTuple):
    """What is to be said of a text as it stands. `prompt` is the one that the cursor is in."""

    problems: tuple[Problem, ...]
    scenario: Scenario | None = None
    envelope: Envelope | None = None
    prompt: Prompt | None = None
    deliveries: tuple[Delivery, ...] = ()


Plan = Callable[[Scenario, str], Any]
"""What a run of one prompt of a scenario would send; raises WorkbenchError."""


def check(draft: Draft, text: str, line: int, plan: Plan | None) -> Checked:
    """Read an edited text as its file would be; `line` is the cursor's, from 1. Slow: it may read files."""
    source = source_of(text, str(draft.path))
    try:
        if draft.kind is Kind.ENVELOPE:
            return Checked((), envelope=read_envelope(source))
        if draft.kind is Kind.OTHER or not _is_scenario(text):
            parse(source, problems := Problems())
            return Checked(problems.ordered())
        scenario = read_scenario(source, draft.root)
    except WorkbenchError as error:
        return Checked(error.problems)
    prompt = prompt_at(scenario, line)
    if prompt is None or plan is None:
        return Checked((), scenario, prompt=prompt)
    try:
        deliveries = tuple(plan(scenario, prompt.label).deliveries)
    except WorkbenchError as error:
        return Checked(error.problems, scenario, prompt=prompt)
    return Checked((), scenario, prompt=prompt, deliveries=deliveries)


def _is_scenario(text: str) -> bool:
    """Tables, routes and tools lie beside the scenarios; what has neither of a scenario's keys is none."""
    heads = [
        line.split(":")[0].strip("\"' {") for line in text.split("\n") if not line.startswith((" ", "-"))
    ]
    return "scenario" in heads or "prompts" in heads or not text.strip()


def prompt_at(scenario: Scenario, line: int) -> Prompt | None:
    """The prompt that a line belongs to; above all of them, the first."""
    above = [prompt for prompt in scenario.prompts if prompt.mark.line <= line]
    return above[-1] if above else scenario.prompts[0] if scenario.prompts else None


def write(draft: Draft, text: str) -> Draft:
    """Write an edited text, all of it or nothing; the draft as it is then.

    Raises WorkbenchError where the file has changed meanwhile, or cannot be written.
    """
    whole = draft.whole(text)
    try:
        whole.encode()
    except UnicodeEncodeError:
        hint = "write it as an escape in double quotes"
        raise WorkbenchError(Problem("a lone surrogate cannot stand in a file", hint=hint)) from None
    if draft.before is None:
        create(draft.path, draft.root, whole)
    else:
        save(draft.path, draft.root, draft.before, whole)
    return draft.written(text)


def on_disk(path: Path) -> bytes | None:
    """What the file holds now; None where there is none. Raises WorkbenchError where it cannot be read."""
    return read_bytes(path) if path.exists() else None


def beside(path: Path) -> Path:
    """A free name beside a file, that is read as no scenario and no envelope."""
    names = (path.with_name(f"{path.name}.mine{number or ''}") for number in range(1000))
    return next(name for name in names if not name.exists())
