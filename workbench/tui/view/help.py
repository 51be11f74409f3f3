"""The help: every command with all its keys, those of the focused pane first, made from the declarations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from workbench.tui.commands import Command, commands_in, groups_in
from workbench.tui.state import SessionState
from workbench.tui.view.cells import breaks, slices, width_of
from workbench.tui.view.ink import Line, Piece, Tone, gap, ink
from workbench.tui.view.layout import Pane

__all__ = ["PANE_WORDS", "help_lines"]

PANE_WORDS = {
    Pane.SCENARIOS: (
        "Scenarios",
        "Each scenario with its prompts. ✗ has errors, ! has warnings or failures, · is not all run, "
        "✓ is fine.",
    ),
    Pane.MATRIX: (
        "Matrix",
        "Each arm of the chosen prompt through each adapter: FIRE calls a tool, hold matched and declines, "
        "pass leaves it to the model. ~ differs from bare as it may.",
    ),
    Pane.COMPARISON: (
        "Comparison",
        "Bare, or what was pinned, beside the chosen cell; a tab with ~ holds a difference. ▌ stands where "
        "something was read, what was not is dim. - is on the left only, + on the right only, ~ differs. "
        "Letters name who wrote: u user, t transport, a attachment, q quoted, h history, l tool, "
        "s synthetic, p app. On the tab Lanes capitals name who wrote the request; a question mark is dark, "
        "nobody's.",
    ),
}
_KEYS = 23


def help_lines(state: SessionState, width: int) -> tuple[Line, ...]:
    """The lines of the help screen for the pane that has the focus, in `width` cells."""
    pane = state.place.pane
    name, words = PANE_WORDS[pane]
    commands = commands_in(state)
    own = [c for c in commands if c.weight is not None and pane in c.panes and len(c.panes) < len(Pane)]
    lines: list[Line] = [(ink(name, Tone.HEADING),), *_wrapped(ink(words), width, 0), ()]
    lines += [line for command in own for line in _command(state, command, width)]
    lines += [()] if own else []
    for group in groups_in(state):
        lines.append((ink(group, Tone.HEADING),))
        for command in commands:
            if command.group == group and command not in own:
                lines += _command(state, command, width)
        lines.append(())
    return tuple(lines[:-1])


def _command(state: SessionState, command: Command, width: int) -> Iterator[Line]:
    keys = ink(f"  {', '.join(command.shown_keys)}", Tone.STRONG)
    space = gap(max(1, _KEYS - width_of((keys,))))
    reason = command.why_not(state)
    for number, line in enumerate(_wrapped(ink(command.help), width, _KEYS)):
        yield (keys, space, *line[1:]) if number == 0 else line
    if reason is not None:
        yield from _wrapped(ink(f"not now: {reason}", Tone.MUTED), width, _KEYS)


def _wrapped(words: Piece, width: int, indent: int) -> Iterator[Line]:
    room = max(10, width - indent)
    starts = breaks(words.text, room)
    for start, end in pairwise((*starts, len(words.text))):
        yield (gap(indent), *slices((words,), start, end))
