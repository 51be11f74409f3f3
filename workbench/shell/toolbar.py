"""The line below the prompt: what a keyword table would do with what is typed, or how a command is used."""

from __future__ import annotations

from workbench.core.text import SafeText, join, safe, visible
from workbench.report.measure import named
from workbench.shell.delivery import own_words
from workbench.shell.paste import Draft
from workbench.shell.preview import Glance, Preview
from workbench.shell.session import COMMANDS, Session, is_command

__all__ = ["toolbar"]

Piece = tuple[str, SafeText]
"""A look, and the text: `fire`, `hold`, `pass`, `paste`, `muted` or nothing."""


def toolbar(session: Session, preview: Preview | None, draft: Draft) -> list[Piece]:
    """Two lines: about what is being typed, and where it will go."""
    head = _usage(draft.text) if is_command(draft) else _previewed(preview, draft)
    return [*head, ("", safe("\n")), ("muted", session.state())]


def _usage(text: str) -> list[Piece]:
    name = text[1:].partition(" ")[0]
    for known, command in COMMANDS.items():
        if known == name:
            usage = f"/{known} {command.usage}".rstrip()
            return [("", safe(usage)), ("muted", safe(f"  {command.summary}"))]
    return [("muted", safe("  ".join(f"/{known}" for known in COMMANDS if known.startswith(name))))]


def _previewed(preview: Preview | None, draft: Draft) -> list[Piece]:
    if not draft.text.strip():
        return [("muted", safe("type a prompt; /help says what else there is"))]
    if preview is None:
        return [("muted", safe("no keyword table in this workspace"))]
    glance = preview.look(draft.text)
    name = ("muted", join((visible(preview.name), safe(": "))))
    if glance is None:
        return [name, ("muted", visible(preview.problem or "this is too long to look at while typing"))]
    pieces = [name, *_decision(glance)]
    if draft.pastes:
        words, _ = own_words(draft)
        alone = preview.look(words)
        if alone is not None:
            pieces += [("paste", safe("  without the paste: ")), *_decision(alone)]
    if preview.problem is not None:
        pieces.append(("muted", join((safe("  as it was before: "), visible(preview.problem)))))
    return pieces


def _decision(glance: Glance) -> list[Piece]:
    """The outcome in a word, the tools, and why."""
    outcome = glance.outcome.value
    words = [safe(outcome)]
    if glance.tools:
        between = " declines " if outcome == "hold" else " "
        words += [safe(between), join([named(tool) for tool in glance.tools], safe(", "))]
    note = [("muted", join((safe("  "), visible(glance.note))))] if glance.note else []
    return [(outcome, join(words)), *note]
