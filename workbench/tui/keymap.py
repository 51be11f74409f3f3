"""The keys as this user wants them: which command has which, and what in the settings cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import Problem
from workbench.files.settings import Chosen

if TYPE_CHECKING:
    from workbench.tui.commands.command import Command
    from workbench.tui.state import SessionState

__all__ = ["Keymap", "key_of", "keyed", "keymap_of"]

Keymap = Mapping[str, tuple[str, ...]]
"""Keys by command, for those commands that do not have their own."""

DEAD = {
    "ctrl+h": "terminals send it for backspace",
    "ctrl+i": "terminals send it for tab",
    "ctrl+m": "terminals send it for enter",
    "ctrl+z": "it suspends programs",
    "ctrl+q": "it always leaves",
    "ctrl+c": "it copies what is selected",
}


def keymap_of(
    chosen: Mapping[str, Chosen], commands: Iterable[Command]
) -> tuple[dict[str, tuple[str, ...]], tuple[Problem, ...]]:
    """The keymap that the settings ask for, and what is wrong with them.

    A key that two commands ask for is the first one's. A key taken from a command that did not ask for
    another leaves it what it has left, which is told where that is nothing.
    """
    from workbench.files.problems import shown, suggestion

    known = {command.id: command for command in commands}
    problems: list[Problem] = []
    keymap: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for name, choice in chosen.items():
        if name not in known:
            message = f"keys: there is no command {shown(name)}"
            problems.append(Problem(message, choice.mark, suggestion(name, known)))
            continue
        kept = []
        for key in choice.keys:
            if key in DEAD:
                problems.append(Problem(f"keys: {name} cannot have {key}: {DEAD[key]}", choice.mark))
            elif not _is_key(key):
                hint = "one character, or a name such as f5, ctrl+t, pageup"
                problems.append(Problem(f"keys: {shown(key)} is no key", choice.mark, hint))
            elif key in owner:
                message = f"keys: {key} is asked for by {owner[key]} and by {name}"
                problems.append(Problem(message, choice.mark, f"{owner[key]} has it"))
            else:
                owner[key] = name
                kept.append(key)
        if kept:
            keymap[name] = tuple(kept)
    for command in known.values():
        lost = [key for key in command.keys if owner.get(key, command.id) != command.id]
        if command.id not in keymap and lost and len(lost) == len(command.keys):
            taker = owner[lost[0]]
            message = f"keys: {lost[0]} goes to {taker}, and {command.id} has no key left"
            problems.append(Problem(message, chosen[taker].mark, f"give {command.id} another key"))
    return keymap, tuple(problems)


_NAMED = {
    *("enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end"),
    *("up", "down", "left", "right", "pageup", "pagedown"),
    *(f"f{number}" for number in range(1, 25)),
}


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    if not set(modifiers) <= {"ctrl", "shift", "alt"}:
        return False
    return last in _NAMED or (len(last) == 1 and last.isprintable() and last != ",")


def keyed(commands: Iterable[Command], keymap: Keymap) -> tuple[Command, ...]:
    """The commands with the keys that they have now."""
    if not keymap:
        return tuple(commands)
    taken = {key: name for name, keys in keymap.items() for key in keys}
    return tuple(
        replace(
            command,
            keys=keymap.get(
                command.id, tuple(key for key in command.keys if taken.get(key, command.id) == command.id)
            ),
        )
        for command in commands
    )


_LOST_IN_A_SENTENCE = set(".,;:'`")


def key_of(state: SessionState, name: str) -> str:
    """The key of a command as this user has it, for a sentence; its name where no key is left to it."""
    # Late: commands say their reasons in such sentences.
    from workbench.tui.commands import command_now

    key = command_now(state, name).shown_key
    if not key:
        return f"the command {command_now(state, name).name}"
    return f"`{key}`" if key in _LOST_IN_A_SENTENCE else key
