"""The words that move a router: found in few calls, 1-minimal, the same way of moving, and what restores."""

from __future__ import annotations

import random

import pytest
from explain_parts import (
    ATTACHED,
    HOLD,
    PASS,
    TYPED,
    Reader,
    app_deliveries,
    deliveries,
    explained,
    fire,
    on_words,
    prose,
    words_of,
)

from workbench.adapters.protocol import Answer, Request
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall
from workbench.core.envelope import Envelope, Ingress
from workbench.core.transform import Transform
from workbench.core.trial import Status
from workbench.explain.explaining import Options
from workbench.explain.explanation import Ending, Explanation
from workbench.explain.parts import Grain, cut, left_out
from workbench.explain.question import Way

CHANNEL = Envelope("channel", Ingress.CHANNEL, '<message channel="chat">\n{text}\n</message>')


def planted(start: float, words: str = "send an email", characters: int = 14_451) -> str:
    """A document of exactly so many characters that holds the words once, at that part of it."""
    text = prose(random.Random(5), characters)
    at = text.index(" ", int(start * (characters - 60))) + 1
    return f"{text[:at]}{words} {text[at + len(words) + 1 :]}"


def is_one_minimal(found: Explanation, reader: Reader, wanted: Decision) -> bool:
    """Asked of the adapter itself, every part of it taken away in turn."""
    material = found.material

    def moved(kept: list[tuple[int, int]]) -> bool:
        turn = material.deliver(left_out(material.foreign, kept))
        answer = reader.read(Request(turn))
        assert isinstance(answer, Decision)
        return answer.identity() == wanted.identity()

    parts = list(cut(material.text, found.cause, found.grain or Grain.WORD))
    return moved(parts) and not any(moved(parts[:n] + parts[n + 1 :]) for n in range(len(parts)))


@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.77, 0.99])
async def test_three_planted_words_are_found_in_a_long_document_in_at_most_80_calls(place: float) -> None:
    document = planted(place)
    assert len(document) == 14_451
    reader = Reader(on_words("send", "an", "email"))
    found = await explained(reader, deliveries(ATTACHED, document))
    assert found.ending is Ending.WORDS
    assert words_of(found) == ["send an email "]
    assert found.calls == len(reader.asked) <= 80
    assert found.minimal
    assert found.steady
    assert is_one_minimal(found, reader, fire("mail"))
    assert found.removal is not None
    assert found.removal_minimal
    assert len(found.removal) == 1
    assert document.find("send an email") > 0


async def test_scattered_words_are_one_cause() -> None:
    document = f"The invoice comes first.\n{planted(0.4, 'from')}\nAnd the last thing is to forward."
    reader = Reader(on_words("invoice", "forward", "from"))
    found = await explained(reader, deliveries(ATTACHED, document))
    assert [word.strip() for word in words_of(found)] == ["invoice", "from", "forward"]
    assert is_one_minimal(found, reader, fire("mail"))


async def test_the_search_does_not_slip_to_another_cause() -> None:
    """Two phrases fire two tools; whichever part is looked at, only both together are the same difference."""

    def read(request: Request) -> Decision:
        tools = [name for name in ("mail", "calendar") if name in request.turn.text]
        return fire(*tools) if tools else PASS

    found = await explained(Reader(read), deliveries(ATTACHED, "The mail is in.\nThe calendar is full.\n"))
    assert [word.strip() for word in words_of(found)] == ["mail", "calendar"]
    assert found.removal is not None
    assert len(found.removal) == 2


async def test_the_same_words_elsewhere_are_taken_away_too() -> None:
    document = "Every morning I rise.\nNothing here.\nevery  morning again, and every\nmorning once more."

    def read(request: Request) -> Decision:
        return HOLD if "every morning" in " ".join(request.turn.text.lower().split()) else PASS

    found = await explained(Reader(read), deliveries(ATTACHED, document))
    assert " ".join(" ".join(words_of(found)).split()).lower() == "every morning"
    assert found.removal is not None
    assert len(found.removal) == 3
    rest = found.material.deliver(found.removal)
    assert read(Request(rest)) == PASS
    assert found.removal_minimal


async def test_a_second_cause_is_named_and_taken_away_too() -> None:
    def read(request: Request) -> Decision:
        return HOLD if any(word in request.turn.text for word in ("whenever", "automation")) else PASS

    found = await explained(
        Reader(read), deliveries(ATTACHED, "It runs whenever.\nTwo.\nThis automation is fine.\n")
    )
    assert len(found.others) == 1
    both = [*words_of(found), *(found.material.text[a:b] for a, b in found.others[0])]
    assert sorted(word.strip() for word in both) == ["automation", "whenever"]
    assert found.removal is not None
    assert len(found.removal) == 2


async def test_a_stolen_window_is_explained_by_its_place() -> None:
    """Bare fires, wrapped passes: the first line is read, and the transport has taken it."""

    def read(request: Request) -> Decision:
        return fire("mail") if "email" in request.turn.text.partition("\n")[0] else PASS

    found = await explained(Reader(read), deliveries(CHANNEL, typed="send an email"))
    assert found.ending is Ending.PLACE
    assert len(found.cause) == 1
    assert words_of(found)[0].endswith("\n")
    assert found.removal is not None
    assert read(Request(found.material.deliver(found.removal))) == fire("mail")


@pytest.mark.parametrize("head", [True, False])
async def test_a_window_of_so_many_characters_is_length_rather_than_words(head: bool) -> None:
    def read(request: Request) -> Decision:
        text = request.turn.text
        return fire("mail") if "email" in (text[:800] if head else text[-800:]) else PASS

    template = "{document}\n{text}" if head else "{text}\n{document}"
    envelope = Envelope("retrieved", Ingress.RAG, template)
    reader = Reader(read)
    found = await explained(
        reader, deliveries(envelope, prose(random.Random(3), 14_451), typed="send an email")
    )
    assert found.ending is Ending.PLACE
    assert found.calls <= 120
    characters = sum(end - start for start, end in found.cause)
    assert 780 <= characters <= 820
    assert found.removal is not None
    assert read(Request(found.material.deliver(found.removal))) == fire("mail")


async def test_words_that_a_transform_has_changed_are_the_cause() -> None:
    envelope = Envelope("cut", Ingress.CHANNEL, "[chat] {text}", transforms=((Transform.TRUNCATE, 12),))
    reader = Reader(lambda request: fire("mail") if "email" in request.turn.text else PASS)
    found = await explained(reader, deliveries(envelope, typed="please, send an email"))
    assert found.ending is Ending.DELIVERY
    assert "typed" in found.why
    assert words_of(found) == ["please, send"]
    assert found.removal is None
    assert found.no_removal


async def test_nothing_moves() -> None:
    found = await explained(Reader(lambda request: PASS), deliveries(CHANNEL))
    assert found.ending is Ending.NOTHING
    assert not found.names_a_cause
    assert found.calls == 2


async def test_other_arguments_and_scores_that_cross_are_differences_too() -> None:
    def argument(request: Request) -> Decision:
        to = "boss" if "boss" in request.turn.text else "me"
        return Decision(Outcome.FIRE, (ToolCall("mail", {"to": to}),))

    found = await explained(Reader(argument), deliveries(ATTACHED, "Dear all.\nIt is for the boss today.\n"))
    assert (found.way, [word.strip() for word in words_of(found)]) == (Way.ARGUMENTS, ["boss"])

    def score(request: Request) -> Decision:
        value = 0.6 if "boss" in request.turn.text else 0.3
        return Decision(Outcome.PASS, scores=(Score("mail", value, 0.5), Score("none", 0.2, 0.5)))

    found = await explained(Reader(score), deliveries(ATTACHED, "Dear all.\nIt is for the boss today.\n"))
    assert (found.way, [word.strip() for word in words_of(found)]) == (Way.SCORES, ["boss"])
    assert found.material.text[slice(*found.margins[0].span)].startswith("It is for the boss")
    assert found.margins[0].change == pytest.approx(0.3)
    assert all(margin.change == 0 for margin in found.margins[1:])


async def test_matched_phrases_in_the_cause_are_its_evidence() -> None:
    def read(request: Request) -> Decision:
        at = request.turn.text.find("an email")
        if at < 0:
            return Decision(Outcome.PASS, matches=())
        return Decision(Outcome.FIRE, (ToolCall("mail"),), matches=(Match("mail", "an email", at, at + 8),))

    found = await explained(Reader(read), deliveries(ATTACHED, "This is\nan email from me.\n"))
    assert [match.text for match in found.matches] == ["an email"]


async def test_the_best_so_far_is_there_when_the_calls_run_out() -> None:
    reader = Reader(on_words("send", "an", "email"))
    found = await explained(reader, deliveries(ATTACHED, planted(0.5)), Options(calls=12))
    assert found.ending is Ending.OUT_OF_CALLS
    assert found.calls == len(reader.asked) == 12
    assert 0 < sum(end - start for start, end in found.cause) < 14_451
    assert "send an email" in "".join(words_of(found))


async def test_a_cause_stays_found_when_the_calls_run_out_behind_it() -> None:
    document = planted(0.5)
    whole = await explained(Reader(on_words("send", "an", "email")), deliveries(ATTACHED, document))
    found = await explained(
        Reader(on_words("send", "an", "email")),
        deliveries(ATTACHED, document),
        Options(calls=whole.calls - 3),
    )
    assert found.ending is Ending.WORDS
    assert found.cause == whole.cause
    assert found.used_up


async def test_an_adapter_that_changes_its_mind_is_called_unsteady() -> None:
    chance = iter([PASS, fire("mail"), *[HOLD] * 100])
    found = await explained(Reader(lambda request: next(chance)), deliveries(CHANNEL))
    assert found.steady is False


async def test_an_adapter_without_an_answer_says_why() -> None:
    reader = Reader(lambda request: Answer(Status.ERROR, error="no such recording"))
    found = await explained(reader, deliveries(CHANNEL))
    assert found.ending is Ending.NO_ANSWER
    assert "no such recording" in found.why
    assert found.calls <= 3


async def test_questions_that_fail_are_no_proof_that_a_part_is_needed() -> None:
    """The recording of a router knows bare and the whole delivery, and nothing between."""
    pair = deliveries(ATTACHED, planted(0.5))
    known = {delivery.turn.text: on_words("send", "an", "email") for delivery in pair}

    def read(request: Request) -> Decision | Answer:
        answer = known.get(request.turn.text)
        return answer(request) if answer else Answer(Status.ERROR, error="not recorded")

    found = await explained(Reader(read), pair)
    assert found.ending is Ending.NO_ANSWER
    assert "not recorded" in found.why


async def test_files_of_an_app_are_cut_on_disk() -> None:
    """The app joins words and files itself, and reads what lies at the path."""
    seen: list[str] = []

    def read(request: Request) -> Decision:
        texts = []
        for file in request.turn.attachments:
            if file.path.startswith("/w/"):
                texts.append(file.text)
            else:
                with open(file.path, encoding="utf-8", newline="") as stream:  # noqa: PTH123
                    texts.append(stream.read())
                assert file.path.endswith(file.path.rpartition("/")[2])
                assert texts[-1] == file.text
                seen.append(file.path)
        return fire("mail") if "an email" in " ".join(texts) else PASS

    found = await explained(
        Reader(read, wraps=True), app_deliveries("One.\r\nTwo.\n", "Please,\nsend me an email soon.\n")
    )
    assert words_of(found) == ["an email "]
    assert found.material.attachment_of(found.cause[0]) == ("2.txt", (16, 25))
    assert seen
    assert not any(__import__("os").path.exists(path) for path in seen)


async def test_a_file_that_counts_by_being_there() -> None:
    reader = Reader(lambda r: HOLD if r.turn.attachments else PASS, wraps=True)
    found = await explained(reader, app_deliveries("One.\n"))
    assert found.ending is Ending.DELIVERY
    assert "file" in found.why


async def test_an_attachment_that_is_read_beside_the_text_is_cut_with_it() -> None:
    reader = Reader(lambda r: HOLD if any("whenever" in a.text for a in r.turn.attachments) else PASS)
    found = await explained(reader, deliveries(ATTACHED, "One.\nNow and whenever.\nThree.\n"))
    assert [word.strip() for word in words_of(found)] == ["whenever"]


async def test_the_words_typed_are_never_cut() -> None:
    reader = Reader(on_words("send", "an", "email"))
    await explained(reader, deliveries(ATTACHED, planted(0.3)))
    assert all(TYPED in request.turn.text for request in reader.asked)
