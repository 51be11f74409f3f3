"""A line as a plan: bare, on the envelopes chosen, with its file, and with what was pasted into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from workbench.core.cell import BARE, AdapterInfo, CellKey, Delivery
from workbench.core.envelope import Envelope, wrap
from workbench.core.errors import Mark, WorkbenchError
from workbench.core.scenario import Attach, Prompt, Scenario
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece
from workbench.files.documents import Documents
from workbench.files.envelope import parse_envelope_name
from workbench.replay.arms import ATTACH, PASTE
from workbench.replay.choice import Choice
from workbench.replay.plan import Plan, make_plan
from workbench.shell.paste import Draft

__all__ = ["SCENARIO", "Settings", "own_words", "pasted_turn", "plan_line"]

SCENARIO = "shell"
"""The name under which a line is run; it stands in no file."""

Envelopes = Callable[[Scenario, Sequence[str] | None], Mapping[str, Envelope]]


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a line goes: these adapters, bare and on these envelopes, with these files, so many times."""

    adapters: tuple[str, ...]
    envelopes: tuple[str, ...] = ()
    attach: tuple[Attach, ...] = ()
    repeat: int = 1


def plan_line(draft: Draft, settings: Settings, infos: Mapping[str, AdapterInfo], load: Envelopes) -> Plan:
    """The plan for one line. Files are read now. Raises WorkbenchError with every problem.

    With a file and no envelope that carries one, all that do are used. With a paste there is an arm
    more: `paste` is the line as it stands, and on the envelopes too; `bare` is without what was pasted.
    """
    words, _ = own_words(draft)
    prompt = Prompt("1", words, Mark(""), attach=settings.attach)
    scenario = Scenario(SCENARIO, (prompt,), file="")
    asked = _asked(settings, scenario, load)
    envelopes = load(scenario, asked)
    documents = Documents()

    def read(attach: Attach) -> Attachment:
        return Attachment(attach.name, attach.path, documents.read(attach.path))

    choice = Choice(settings.adapters, asked, settings.repeat, settings.repeat)
    plan = replace(make_plan((scenario,), envelopes, infos, read, choice), whole=frozenset())
    return _with_paste(plan, draft, envelopes) if draft.pastes else plan


def own_words(draft: Draft) -> tuple[str, tuple[TypedPiece, ...]]:
    """What the user wrote of a line, and where that stands in it.

    A blank stands where a paste parted two words. Blanks alone are no words.
    """
    words, pieces = "", []
    for start, end in draft.typed:
        part = draft.text[start:end]
        if words and not words[-1].isspace() and not part[0].isspace():
            words += " "
        pieces.append(TypedPiece(start, end, len(words), len(words) + len(part)))
        words += part
    return (words, tuple(pieces)) if words.strip() else ("", ())


def pasted_turn(draft: Draft) -> Turn:
    """The line as the app gets it: all of it counts as typed, and only a part was written by the user."""
    spans = [(start, end, Author.USER) for start, end in draft.typed]
    spans += [(start, end, Author.ATTACHMENT) for start, end in draft.pastes]
    _, pieces = own_words(draft)
    return Turn(draft.text, draft.text, tuple(Region(*span) for span in sorted(spans)), pieces)


def _asked(settings: Settings, scenario: Scenario, load: Envelopes) -> tuple[str, ...] | None:
    """The envelopes to ask for; None is all that carry what there is to carry."""
    if not settings.attach:
        return settings.envelopes
    if not settings.envelopes:
        return None
    shelf = load(scenario, settings.envelopes)
    if any(_carries(name, shelf) for name in settings.envelopes):
        return settings.envelopes
    return (*settings.envelopes, *(name for name in shelf if _carries(name, shelf)))


def _carries(name: str, shelf: Mapping[str, Envelope]) -> bool:
    """Whether an envelope, or one nested in it, has a place for a document; a broken one has none."""
    with suppress(WorkbenchError, KeyError):
        return any(shelf[part].carries_document for part in parse_envelope_name(name))
    return False


def _with_paste(plan: Plan, draft: Draft, envelopes: Mapping[str, Envelope]) -> Plan:
    deliveries: list[Delivery] = []
    repeats: dict[CellKey, int] = {}
    for delivery in plan.deliveries:
        for made in _pasted(delivery, draft, envelopes):
            deliveries.append(made)
            repeats[made.key] = plan.repeats[delivery.key]
    return replace(plan, deliveries=tuple(deliveries), repeats=repeats)


def _pasted(delivery: Delivery, draft: Draft, envelopes: Mapping[str, Envelope]) -> Iterator[Delivery]:
    """A delivery with the paste in it; of the bare one, which stays without, one more."""
    arm, turn = delivery.key.arm, delivery.turn
    made = replace(pasted_turn(draft), attachments=turn.attachments, made_by_app=turn.made_by_app)
    key = delivery.key
    if arm == BARE:
        yield delivery
        key = replace(key, arm=PASTE)
    elif arm != ATTACH:
        document = "\n\n".join(file.text for file in turn.attachments) if turn.attachments else None
        for name in reversed(parse_envelope_name(arm)):
            made = wrap(envelopes[name], made, document)
    made = replace(made, messages=(*turn.messages[:-1], Message("user", made.text)))
    yield replace(delivery, key=key, turn=made, document=True)
