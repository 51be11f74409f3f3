"""What can be cut out of a delivery, and that the search names 1-minimal words whatever the router reads."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from explain_parts import ATTACHED, HOLD, PASS, Reader, app_deliveries, deliveries, explained, fire
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.adapters.protocol import Answer, Request
from workbench.core.cell import BARE
from workbench.core.decision import Decision
from workbench.core.envelope import Envelope, Ingress
from workbench.core.errors import UsageError
from workbench.core.trial import Status
from workbench.core.turn import Attachment
from workbench.explain.explaining import Options, Subject, explain
from workbench.explain.explanation import Ending
from workbench.explain.material import material_of
from workbench.explain.papers import Papers
from workbench.explain.parts import Grain, cut, left_out
from workbench.replay.executor import LocalExecutor

WORDS = ("red", "green", "blue", "grey", "pink")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=30),
    st.lists(st.frozensets(st.sampled_from(WORDS), min_size=1, max_size=3), min_size=1, max_size=3),
    st.sampled_from(["\n", " ", ". ", ".\n\n"]),
)
async def test_the_cause_is_one_minimal_and_the_removal_restores(
    words: list[str], causes: list[frozenset[str]], between: str
) -> None:
    """A router that fires on any of some sets of words, asked about every part that was left in."""

    def read(request: Request) -> Decision:
        held = set(request.turn.text.replace(".", " ").split())
        return fire("mail") if any(cause <= held for cause in causes) else PASS

    pair = deliveries(ATTACHED, between.join(words))
    found = await explained(Reader(read), pair, Options(calls=2000))
    moved = read(Request(pair[1].turn)) != PASS
    assert found.ending is (Ending.WORDS if moved else Ending.NOTHING)
    if not moved:
        return
    material = found.material
    parts = cut(material.text, found.cause, Grain.WORD)

    def kept(chosen: tuple[tuple[int, int], ...]) -> Decision:
        return read(Request(material.deliver(left_out(material.foreign, chosen))))

    assert kept(parts) == fire("mail")
    assert all(kept(rest) == PASS for rest in combinations(parts, len(parts) - 1))
    assert found.removal is not None
    gone = cut(material.text, found.removal, Grain.WORD)
    assert read(Request(material.deliver(gone))) == PASS
    assert all(
        read(Request(material.deliver(less))) == fire("mail") for less in combinations(gone, len(gone) - 1)
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12))
async def test_any_router_at_all_gets_a_part_that_moves_it(seed: int, count: int) -> None:
    """Also one that answers at random, the same each time: more text may undo what less did."""
    answers: dict[str, Decision] = {}

    def read(request: Request) -> Decision:
        text = request.turn.text
        if text not in answers:
            answers[text] = (PASS, HOLD, fire("mail"))[random.Random(f"{seed} {text}").randrange(3)]
        return answers[text]

    pair = deliveries(ATTACHED, " ".join(f"w{n}" for n in range(count)))
    found = await explained(Reader(read), pair, Options(calls=2000))
    bare, variant = read(Request(pair[0].turn)), read(Request(pair[1].turn))
    assert (found.bare, found.variant) == (bare, variant)
    material = found.material
    if bare == variant:
        assert found.ending is Ending.NOTHING
    elif found.ending is Ending.WORDS:
        parts = cut(material.text, found.cause, Grain.WORD)

        def kept(chosen: tuple[tuple[int, int], ...]) -> Decision:
            return read(Request(material.deliver(left_out(material.foreign, chosen))))

        assert kept(parts) == variant
        assert all(kept(rest) != variant for rest in combinations(parts, len(parts) - 1))
        if found.removal is not None:
            assert read(Request(material.deliver(found.removal))) == bare


@given(
    st.text(st.sampled_from("ab .\n\r\u4e2d"), max_size=30), st.text(st.sampled_from("xy .\n"), max_size=40)
)
def test_a_disguise_has_the_same_shape_and_no_word_of_anyone_but_the_user(typed: str, document: str) -> None:
    _, variant = deliveries(ATTACHED, document, typed)
    material = material_of(variant.turn)
    hidden = material.disguised()
    assert len(hidden.text) == len(material.text)
    assert hidden.turn.regions == material.turn.regions
    assert hidden.turn.messages[-1].content == hidden.text
    for region in material.regions:
        mine, theirs = material.text[region.start : region.end], hidden.text[region.start : region.end]
        if region.author.value == "user":
            assert mine == theirs
        else:
            assert [c if not (c.isalnum() or c == "_") else "x" for c in mine] == list(theirs)
    assert (
        hidden.turn.attachments[0].text == "".join("x" if c.isalnum() or c == "_" else c for c in document)
        or not document
    )


def test_all_taken_away_is_bare() -> None:
    bare_, variant = deliveries(ATTACHED, "One.\nTwo.\n")
    material = material_of(variant.turn)
    alone = material.deliver(material.foreign)
    assert (alone.text, alone.typed, alone.regions) == (bare_.turn.text, bare_.turn.typed, bare_.turn.regions)
    assert alone.messages == bare_.turn.messages
    assert alone.attachments[0].text == ""


def test_a_document_is_found_behind_the_same_words_typed() -> None:
    _, variant = deliveries(ATTACHED, "One two.", typed="One two.")
    material = material_of(variant.turn)
    place = material.documents[0]
    assert place is not None
    assert place[0] > len("One two.")
    start = material.text.rindex("two")
    assert material.deliver([(start, start + 4)]).attachments[0].text == "One "


def test_several_files_are_cut_one_by_one() -> None:
    _, variant = app_deliveries("One.\n", "Two three.\n")
    material = material_of(variant.turn)
    start = material.text.index("three")
    turn = material.deliver([(start, start + 5)])
    assert [file.text for file in turn.attachments] == ["One.\n", "Two .\n"]
    assert material.attachment_of((start, start + 5)) == ("2.txt", (4, 9))
    assert material.attachment_of((0, 3)) is None


def test_changed_files_lie_on_disk_under_their_own_names_for_a_while(tmp_path: Path) -> None:
    original = tmp_path / "page.txt"
    original.write_text("One two.")
    _, variant = app_deliveries("One two.")
    turn = replace(variant.turn, attachments=(Attachment("a/page.txt", str(original), "One two."),))
    with Papers(turn) as papers:
        assert papers.laid_out(turn) is turn
        changed = replace(turn, attachments=(replace(turn.attachments[0], text="One \ud800\r\n"),))
        path = papers.laid_out(changed).attachments[0].path
        assert papers.laid_out(changed).attachments[0].path == path, "not written twice"
        shorter = replace(turn, attachments=(replace(turn.attachments[0], text="One"),))
        assert papers.laid_out(shorter).attachments[0].path != path
        assert os.path.basename(path) == "page.txt"  # noqa: PTH119
        assert Path(path).read_bytes() == b"One \xed\xa0\x80\r\n"
    assert not Path(path).exists()
    assert original.read_text() == "One two."


async def test_there_must_be_a_bare_delivery_and_a_call() -> None:
    bare_, variant = deliveries(Envelope("channel", Ingress.CHANNEL, "[x] {text}"))
    reader = Reader(lambda request: PASS)
    async with LocalExecutor({"reader": reader}) as executor:
        from workbench.core.cell import AdapterInfo

        info = AdapterInfo("reader", "test")
        with pytest.raises(UsageError, match="not delivered bare"):
            await explain(Subject(variant, None, info), executor)
        with pytest.raises(UsageError, match="at least 1"):
            await explain(Subject(variant, bare_, info), executor, Options(calls=0))
        alone = await explain(Subject(bare_, bare_, info), executor)
    assert alone.key.arm == BARE
    assert alone.ending is Ending.NOTHING
    assert "bare arm" in alone.why


async def test_texts_that_a_router_cannot_take_do_not_end_the_search() -> None:
    """It fails on every text that is short, and says so each time."""

    def read(request: Request) -> Decision | Answer:
        if 60 < len(request.turn.text) < 400:
            return Answer(Status.ERROR, error="too short")
        return fire("mail") if "email" in request.turn.text else PASS

    document = "".join(f"Line {n} is here.\n" for n in range(40)) + "Then an email.\n"
    found = await explained(Reader(read), deliveries(ATTACHED, document))
    assert found.ending is Ending.WORDS
    assert "email" in "".join(found.material.text[a:b] for a, b in found.cause)
    assert found.unanswered > 0
    assert not found.minimal
