"""`/save`: the last prompt as a prompt of a scenario file. Nothing that stands there is written over."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError
from workbench.core.scenario import Attach, Prompt, Scenario
from workbench.core.text import SafeText, safe, visible
from workbench.files.edit.page import open_page
from workbench.files.edit.save import create, save
from workbench.files.edit.scenario import add_prompt, free_id
from workbench.files.edit.spell import is_block, literal, spelled
from workbench.files.problems import shown
from workbench.files.scenario import read_scenario
from workbench.files.source import source_of
from workbench.files.workspace import Workspace
from workbench.shell.delivery import Settings, own_words
from workbench.shell.paste import Draft

__all__ = ["save_prompt"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NOWHERE = Mark("")


def save_prompt(workspace: Workspace, name: str, draft: Draft, settings: Settings) -> SafeText:
    """Add the prompt to `scenarios/NAME.yaml`, or make that file; returns what was done.

    What was pasted goes into a text file beside it. Raises WorkbenchError, and then nothing was written,
    where the file is broken or would not say what was meant.
    """
    path, root = _path(workspace, name), workspace.root
    words, _ = own_words(draft)
    attach = _attached(path.parent, workspace, settings.attach)
    paste = _paste_file(path, root, draft)
    prompt = Prompt("", words, _NOWHERE, attach=attach, paste=paste)
    try:
        if path.exists():
            page = open_page(path, root)
            label = free_id(page.scenario, words)
            save(path, root, page.data, add_prompt(page, _named(prompt, label)))
            done = "added to"
        else:
            label = free_id(Scenario("", (), ""), words)
            create(path, root, _new(path, root, _named(prompt, label), settings))
            done = "made"
    except BaseException:
        if paste is not None:
            Path(paste.path).unlink(missing_ok=True)
        raise
    beside = f", what was pasted in {visible(paste.name)}" if paste is not None else ""
    where = visible(str(path.relative_to(root)))
    again = visible(f"{path.stem}#{label}")
    return safe(f"{done} {where}{beside}; `workbench run '{again}'` runs it")


def _named(prompt: Prompt, label: str) -> Prompt:
    return Prompt(label, prompt.text, _NOWHERE, id=label, attach=prompt.attach, paste=prompt.paste)


def _path(workspace: Workspace, name: str) -> Path:
    """The file of a scenario's name. Raises UsageError on what can be none."""
    if workspace.packaged:
        hint = "go to a folder with a workbench.yaml, or write one here"
        raise UsageError(Problem("there is no workspace here to save into", hint=hint))
    if not _NAME.fullmatch(name):
        hint = 'letters, digits, "-", "_" and ".", the first a letter or a digit'
        raise UsageError(Problem(f"{shown(name)} cannot name a scenario", hint=hint))
    folder = workspace.root / "scenarios"
    name = name.removesuffix(".yaml")
    other = folder / f"{name}.yml"
    return other if other.is_file() else folder / f"{name}.yaml"


def _attached(folder: Path, workspace: Workspace, files: Iterable[Attach]) -> tuple[Attach, ...]:
    """The files as a scenario names them. Raises UsageError where one lies outside the workspace."""
    named = []
    for file in files:
        if not Path(file.path).is_relative_to(workspace.root):
            hint = "copy it into the workspace, and attach it from there"
            raise UsageError(Problem(f"{file.name} lies outside the workspace", hint=hint))
        named.append(Attach(os.path.relpath(file.path, folder), file.path, _NOWHERE))
    return tuple(named)


def _paste_file(path: Path, root: Path, draft: Draft) -> Attach | None:
    """A new file with what was pasted; None where nothing was. Raises WorkbenchError."""
    text = "\n\n".join(draft.text[start:end] for start, end in draft.pastes)
    if not text:
        return None
    files = (path.with_name(f"{path.stem}-paste-{number}.txt") for number in range(1, 10_000))
    file = next(file for file in files if not file.exists())
    try:
        create(file, root, text)
    except UnicodeError:
        message = "what was pasted holds half a character, and cannot be kept as UTF-8"
        raise WorkbenchError(Problem(message, hint="paste it again without that")) from None
    return Attach(file.name, str(file), _NOWHERE)


def _new(path: Path, root: Path, prompt: Prompt, settings: Settings) -> str:
    """The text of a new scenario file. Raises WorkbenchError where it would not be read as meant."""
    lines = [f"scenario: {spelled(path.stem, flow=False)}", f"adapters: {_listed(settings.adapters)}"]
    if settings.envelopes or not settings.attach:
        # Not said, they are those that carry the file.
        lines.append(f"envelopes: {_listed(settings.envelopes)}")
    lines += ["prompts:", *_item(prompt)]
    text = "\n".join(lines) + "\n"
    if read_scenario(source_of(text, str(path)), root).prompts[0].text != prompt.text:
        raise WorkbenchError(Problem("this prompt cannot be written as YAML", hint="write the file by hand"))
    return text


def _item(prompt: Prompt) -> Iterator[str]:
    yield f"  - id: {spelled(prompt.label, flow=False)}"
    if "\n" in prompt.text and is_block(prompt.text):
        header, lines = literal(prompt.text, 6)
        yield f"    text: {header}"
        yield from lines
    else:
        yield f"    text: {spelled(prompt.text, flow=False)}"
    if len(prompt.attach) == 1:
        yield f"    attach: {spelled(prompt.attach[0].name, flow=False)}"
    elif prompt.attach:
        yield f"    attach: {_listed(file.name for file in prompt.attach)}"
    if prompt.paste is not None:
        yield f"    paste: {spelled(prompt.paste.name, flow=False)}"


def _listed(words: Iterable[str]) -> str:
    return f"[{', '.join(spelled(word, flow=True) for word in words)}]"
