"""The state of a line loop and its commands, without a terminal: a line in, what it asks for out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.core.errors import Mark, Problem, UsageError
from workbench.core.scenario import Attach
from workbench.core.text import SafeText, join, safe, visible
from workbench.files.documents import Documents
from workbench.files.envelope import load_envelopes, parse_envelope_name
from workbench.files.problems import shown, suggestion
from workbench.files.workspace import Workspace
from workbench.shell.delivery import Settings
from workbench.shell.paste import Draft
from workbench.shell.saving import save_prompt

__all__ = ["COMMANDS", "Command", "Reply", "Session", "goes_on", "is_command", "without_backslash"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be done: send a prompt, say something, leave; nothing where all is empty.

    `data` lines are what was asked for, `talk` only says what was done.
    """

    send: Draft | None = None
    data: tuple[SafeText, ...] = ()
    talk: tuple[SafeText, ...] = ()
    leave: bool = False


class Session:
    """One person at one workspace. `sent` is the last prompt, and where it went."""

    def __init__(self, workspace: Workspace, cwd: Path, settings: Settings) -> None:
        self.workspace = workspace
        self.cwd = cwd
        self.settings = settings
        self.sent: tuple[Draft, Settings] | None = None

    @property
    def adapter_names(self) -> tuple[str, ...]:
        return tuple(self.workspace.adapters)

    @property
    def _everyone(self) -> tuple[str, ...]:
        return self.workspace.askable or self.adapter_names

    def envelope_names(self) -> tuple[str, ...]:
        """Those of the folder as it is now. Raises WorkbenchError where two have one name."""
        return tuple(load_envelopes(self.workspace.root))

    def handle(self, draft: Draft) -> Reply:
        """One line: a command, a prompt, or nothing. Raises WorkbenchError, and UsageError on a slip."""
        if not draft.text.strip():
            return Reply()
        if is_command(draft):
            return self._command(draft.text)
        if draft.text.startswith("//") and not _is_pasted(draft, 0):
            draft = draft.from_(1)
        return self.send(draft)

    def send(self, draft: Draft) -> Reply:
        """A prompt, with the settings as they are."""
        self.sent = draft, self.settings
        return Reply(send=draft)

    def state(self) -> SafeText:
        """The settings on one line."""
        now = self.settings
        everyone = now.adapters == self._everyone and len(now.adapters) > 1
        adapters = safe("all") if everyone else _listed(now.adapters)
        parts = [join((safe("adapters: "), adapters)), join((safe("envelopes: "), _listed(now.envelopes)))]
        if now.attach:
            parts.append(join((safe("file: "), _listed([file.name for file in now.attach]))))
        if now.repeat > 1:
            parts.append(safe(f"{now.repeat} times"))
        return join(parts, safe(" | "))

    def _command(self, text: str) -> Reply:
        name = text[1:].split(maxsplit=1)[0] if text[1:].strip() else ""
        command = COMMANDS.get(name)
        if command is None or text[1:2].isspace():
            raise UsageError(
                Problem(
                    f"there is no command {shown(f'/{name}')}",
                    hint=f"{suggestion(f'/{name}', [f'/{known}' for known in COMMANDS])};"
                    " a prompt that begins with a slash is written with two",
                )
            )
        try:
            words = shlex.split(text[1 + len(name) :])
        except ValueError as error:
            raise UsageError(Problem(f"/{name}: {error}", hint="quotes come in pairs")) from None
        return command.act(self, words)

    # What the flags of the command line set too

    def choose_adapters(self, names: Sequence[str]) -> None:
        """These adapters, all without any. Raises UsageError."""
        for name in names:
            if name not in self.adapter_names:
                hint = suggestion(name, self.adapter_names)
                raise UsageError(Problem(f"unknown adapter {shown(name)}", hint=hint))
        chosen = tuple(dict.fromkeys(names)) or self._everyone
        if not chosen:
            raise UsageError(
                Problem("this workspace has no adapter", hint=f"write one in {self.workspace.file}")
            )
        self.settings = replace(self.settings, adapters=chosen)

    def choose_envelopes(self, names: Sequence[str]) -> None:
        """These envelopes, nested ones as outer(inner); none without any. Raises WorkbenchError."""
        known = self.envelope_names()
        for name in names:
            for part in parse_envelope_name(name):
                if part not in known:
                    raise UsageError(Problem(f"unknown envelope {shown(part)}", hint=suggestion(part, known)))
        self.settings = replace(self.settings, envelopes=tuple(dict.fromkeys(names)))

    def attach(self, names: Sequence[str]) -> None:
        """These files, from this folder; none without any. Raises WorkbenchError where one is no text."""
        attach = tuple(Attach(name, str((self.cwd / name).resolve()), Mark("")) for name in names)
        for file in attach:
            Documents().read(file.path)
        self.settings = replace(self.settings, attach=attach)

    def set_repeat(self, number: int) -> None:
        """So many trials of each cell. Raises UsageError below 1."""
        if number < 1:
            raise UsageError(f"{number} trials: at least 1 is needed")
        self.settings = replace(self.settings, repeat=number)


def is_command(draft: Draft) -> bool:
    """Whether a line is a command: it begins with one slash, and that was typed."""
    return draft.text.startswith("/") and not draft.text.startswith("//") and not _is_pasted(draft, 0)


def goes_on(draft: Draft) -> bool:
    """Whether another line belongs to this one: it ends in a backslash that was typed, not in two."""
    text = draft.text
    slashes = len(text) - len(text.rstrip("\\"))
    return slashes % 2 == 1 and not is_command(draft) and not _is_pasted(draft, len(text) - 1)


def without_backslash(text: str) -> str:
    """A line that goes on, as the first part of what it becomes."""
    return f"{text[:-1]}\n"


def _is_pasted(draft: Draft, at: int) -> bool:
    return any(start <= at < end for start, end in draft.pastes)


def _listed(names: Sequence[str]) -> SafeText:
    return join([visible(name) for name in names], safe(", ")) if names else safe("none")


# The commands


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what may stand behind its name, what it does, and the doing."""

    usage: str
    summary: str
    act: Callable[[Session, Sequence[str]], Reply]


def _adapter(session: Session, words: Sequence[str]) -> Reply:
    session.choose_adapters(words)
    return Reply(talk=(session.state(),))


def _envelope(session: Session, words: Sequence[str]) -> Reply:
    session.choose_envelopes([] if list(words) == ["none"] else words)
    return Reply(talk=(session.state(),))


def _attach(session: Session, words: Sequence[str]) -> Reply:
    session.attach(words)
    return Reply(talk=(session.state(),))


def _repeat(session: Session, words: Sequence[str]) -> Reply:
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or len(words[0]) > 6:
        raise UsageError(Problem("/repeat wants a number", hint="such as /repeat 5"))
    session.set_repeat(int(words[0]))
    return Reply(talk=(session.state(),))


def _again(session: Session, words: Sequence[str]) -> Reply:
    if words:
        raise UsageError(Problem("/again takes nothing behind it", hint="a prompt is a line of its own"))
    return session.send(_last(session, "again")[0])


def _save(session: Session, words: Sequence[str]) -> Reply:
    if len(words) != 1:
        raise UsageError(Problem("/save wants the name of a scenario", hint="such as /save mine"))
    saved = save_prompt(session.workspace, words[0], *_last(session, "save"))
    return Reply(talk=(saved,))


def _help(session: Session, words: Sequence[str]) -> Reply:
    column = max(len(f"/{name} {command.usage}") for name, command in COMMANDS.items())
    lines = [
        f"{f'/{name} {command.usage}':<{column}}  {command.summary}" for name, command in COMMANDS.items()
    ]
    return Reply(data=tuple(safe(line) for line in (*lines, *_KEYS)))


def _quit(session: Session, words: Sequence[str]) -> Reply:
    return Reply(leave=True)


def _last(session: Session, name: str) -> tuple[Draft, Settings]:
    if session.sent is None:
        raise UsageError(Problem(f"/{name}: no prompt was sent yet", hint="type one first"))
    return session.sent


COMMANDS: Mapping[str, Command] = {
    "adapter": Command("NAME...", "send to these adapters; without a name to all", _adapter),
    "envelope": Command(
        "NAME...", "and on these envelopes, outer(inner) nests; without a name on none", _envelope
    ),
    "attach": Command("FILE...", "and with these files; without a name with none", _attach),
    "repeat": Command("N", "so many times each", _repeat),
    "again": Command("", "send the last prompt again", _again),
    "save": Command("NAME", "keep the last prompt in scenarios/NAME.yaml", _save),
    "help": Command("", "this", _help),
    "quit": Command("", "leave, as Ctrl-D does", _quit),
}

_KEYS = (
    "Any other line is a prompt; one that begins with a slash is written with two.",
    "A backslash at the end, or Alt-Enter, adds a line. Ctrl-C clears the line or stops a call.",
    "Pasted text is kept apart from what you typed; Alt-T takes the paste at the cursor for typed.",
)
