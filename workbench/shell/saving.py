"""`/save`: the last prompt as a prompt of a scenario file. Nothing that stands there is written over."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from workbench.core.errors import Problem, UsageError, WorkbenchError
from workbench.core.scenario import Attach, Scenario
from workbench.core.text import SafeText, is_invisible, safe, visible
from workbench.files.node import Node, NodeKind
from workbench.files.parse import load
from workbench.files.problems import Problems, shown
from workbench.files.scenario import load_scenario
from workbench.files.source import read_bytes
from workbench.files.workspace import Workspace
from workbench.shell.delivery import Settings, own_words
from workbench.shell.paste import Draft

__all__ = ["save"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,.!?'()/_-]*[A-Za-z0-9.!?)]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def save(workspace: Workspace, name: str, draft: Draft, settings: Settings) -> SafeText:
    """Append the prompt to `scenarios/NAME.yaml`, or make that file; returns what was done.

    What was pasted goes into a text file beside it. Raises WorkbenchError, and then all is as it was,
    where the file could not be read again as it was meant.
    """
    path = _path(workspace, name)
    before = read_bytes(path) if path.exists() else None
    words, _ = own_words(draft)
    pasted = "\n\n".join(draft.text[start:end] for start, end in draft.pastes)
    paste = _free(path.parent, path.stem) if pasted else None
    prompt = tuple(_prompt(words, _attached(path.parent, workspace, settings.attach), paste))
    text = _new(name, prompt, settings) if before is None else _longer(path, prompt)
    made: list[Path] = []
    try:
        path.parent.mkdir(exist_ok=True)
        if paste is not None:
            _write_new(paste, pasted)
            made.append(paste)
        number = _replace(path, text, before, workspace.root, words)
    except OSError as error:
        _forget(made)
        raise WorkbenchError(Problem(f"cannot write {path}: {error.strerror or error}")) from error
    except UnicodeError:
        _forget(made)
        hint = "half a character was pasted, or typed"
        raise WorkbenchError(Problem("this prompt cannot be kept as UTF-8", hint=hint)) from None
    except BaseException:
        _forget(made)
        raise
    shown_path = visible(str(path.relative_to(workspace.root)))
    beside = f", what was pasted in {visible(paste.name)}" if paste is not None else ""
    verb = "made" if before is None else "added to"
    return safe(f"{verb} {shown_path}: prompt {number}{beside}; try `workbench run {visible(name)}#{number}`")


def _path(workspace: Workspace, name: str) -> Path:
    if workspace.packaged:
        hint = "make a workspace.yaml of your own; `workbench new workspace` does"
        raise UsageError(Problem("there is no workspace here to save into", hint=hint))
    if not _NAME.fullmatch(name):
        hint = 'letters, digits, "-", "_" and ".", the first a letter or a digit'
        raise UsageError(Problem(f"{shown(name)} cannot name a scenario", hint=hint))
    name = name.removesuffix(".yaml")
    folder = workspace.root / "scenarios"
    other = folder / f"{name}.yml"
    return other if other.is_file() else folder / f"{name}.yaml"


def _attached(folder: Path, workspace: Workspace, files: Iterable[Attach]) -> list[str]:
    """The files as a scenario names them. Raises UsageError where one lies outside the workspace."""
    names = []
    for file in files:
        if not Path(file.path).is_relative_to(workspace.root):
            hint = "copy it into the workspace, and attach it from there"
            raise UsageError(Problem(f"{file.name} lies outside the workspace", hint=hint))
        names.append(os.path.relpath(file.path, folder))
    return names


def _free(folder: Path, stem: str) -> Path:
    numbers = range(1, 10_000)
    paths = (folder / f"{stem}-paste-{number}.txt" for number in numbers)
    return next(path for path in paths if not path.exists())


# Writing YAML


def _prompt(words: str, attached: list[str], paste: Path | None) -> Iterator[str]:
    yield f"text: {_spelled(words)}"
    if len(attached) == 1:
        yield f"attach: {_spelled(attached[0])}"
    elif attached:
        yield f"attach: {_flow(attached)}"
    if paste is not None:
        yield f"paste: {_spelled(paste.name)}"


def _new(name: str, prompt: Iterable[str], settings: Settings) -> str:
    lines = [
        f"scenario: {_spelled(name.removesuffix('.yaml'))}",
        f"adapters: {_flow(settings.adapters)}",
        # With a file, envelopes that are not named are those that carry one.
        *([f"envelopes: {_flow(settings.envelopes)}"] if settings.envelopes or not settings.attach else []),
        "prompts:",
    ]
    return "\n".join(lines) + "\n" + _item(prompt, "  ")


def _longer(path: Path, prompt: Iterable[str]) -> str:
    """The text of the file with one prompt more at its end. Raises WorkbenchError where that is no place."""
    problems = Problems()
    top = load(path, problems)
    problems.check()
    prompts = next((value for key, value in top.pairs if key.value == "prompts"), None)
    text = top.source.text
    if prompts is None or not _is_last(top, prompts):
        hint = "save under another name, or add it by hand"
        raise UsageError(Problem(f"{path.name}: `prompts` is not the last list there, a prompt a line", hint=hint))
    line = text.rfind("\n", 0, prompts.start) + 1
    dash = text[line : prompts.start]
    return f"{text.rstrip()}\n{_item(prompt, dash)}"


def _is_last(top: Node, prompts: Node) -> bool:
    """Whether what is written at the end of the file is a prompt more: a list of lines with dashes."""
    text = prompts.source.text
    line = text.rfind("\n", 0, prompts.start) + 1
    return (
        prompts.kind is NodeKind.LIST
        and text[prompts.start : prompts.start + 1] == "-"
        and not text[line : prompts.start].strip(" ")
        and all(key.start <= prompts.start for key, _ in top.pairs)
    )


def _item(prompt: Iterable[str], indent: str) -> str:
    heads = (f"{indent}- ", *[f"{indent}  "] * 3)
    return "".join(f"{head}{line}\n" for head, line in zip(heads, prompt, strict=False))


def _flow(words: Iterable[str]) -> str:
    return f"[{', '.join(_spelled(word, flow=True) for word in words)}]"


def _spelled(text: str, *, flow: bool = False) -> str:
    """A text as YAML: plain where that is safe, else in quotes, with what cannot be seen escaped."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not (flow and "," in text):
        return text
    escaped = json.dumps(text, ensure_ascii=False)
    return "".join(json.dumps(char)[1:-1] if is_invisible(char) else char for char in escaped)


# Writing files


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="") as stream:
        stream.write(text)


def _replace(path: Path, text: str, before: bytes | None, root: Path, words: str) -> int:
    """Put `text` in the place of the file, once it has been read again as meant; the prompt's number."""
    draft = path.with_name(f".{path.stem}.{os.getpid()}.part.yaml")
    try:
        _write_new(draft, text)
        scenario = _checked(draft, path, root)
        if scenario.prompts[-1].text != words or not _kept(path, before, scenario, root):
            raise WorkbenchError(Problem(f"{path.name}: a prompt cannot be added at its end", hint="add it by hand"))
        if (path.read_bytes() if path.exists() else None) != before:
            raise WorkbenchError(Problem(f"{path} has changed meanwhile", hint="save again"))
        draft.replace(path)
        return len(scenario.prompts)
    finally:
        draft.unlink(missing_ok=True)


def _checked(draft: Path, path: Path, root: Path) -> Scenario:
    try:
        return load_scenario(draft, root)
    except WorkbenchError as error:
        problems = [Problem(f"{path.name}: {problem.message}", hint=problem.hint) for problem in error.problems]
        raise WorkbenchError(problems) from None


def _kept(path: Path, before: bytes | None, scenario: Scenario, root: Path) -> bool:
    """Whether the file's own prompts stand there as they stood."""
    if before is None:
        return True
    old, new = load_scenario(path, root).prompts, scenario.prompts[:-1]
    return [(prompt.label, prompt.text) for prompt in old] == [(prompt.label, prompt.text) for prompt in new]


def _forget(made: Iterable[Path]) -> None:
    for path in made:
        path.unlink(missing_ok=True)
