"""What each arm sends, whose characters they are, and which arms a prompt has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_parts import ENVELOPES, FILES, attach, info, plan_of, prompt, scenario

from workbench.core.cell import Delivery
from workbench.core.relation import Relation
from workbench.core.scenario import Expectation, Prompt
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece
from workbench.replay.plan import Plan

FILE_A = Attachment("a.txt", "/w/a.txt", FILES["/w/a.txt"])
FILE_B = Attachment("b.txt", "/w/b.txt", FILES["/w/b.txt"])
APP = {"app": info("app", wraps=True)}


def arms_of(plan: Plan) -> list[str]:
    return [delivery.key.arm for delivery in plan.deliveries]


def arm(plan: Plan, name: str) -> Delivery:
    (found,) = [delivery for delivery in plan.deliveries if delivery.key.arm == name]
    return found


def covers(turn: Turn) -> bool:
    """Regions cover the text without gap or overlap, and none is empty."""
    at = 0
    for region in turn.regions:
        if region.start != at or region.end <= at:
            return False
        at = region.end
    return at == len(turn.text)


def test_a_plain_prompt_takes_the_envelopes_without_a_document() -> None:
    plan = plan_of()
    assert arms_of(plan) == ["bare", "channel", "reply"]
    turn = arm(plan, "channel").turn
    assert turn.text == '<message from="u1">\nsend it\n</message>'
    assert turn.typed == "send it"
    assert turn.pieces == (TypedPiece(20, 27, 0, 7),)
    assert turn.messages == (Message("user", turn.text),)
    assert arm(plan, "channel").ingress == "channel"
    assert not arm(plan, "channel").document


def test_a_prompt_with_a_file_takes_those_with_one() -> None:
    plan = plan_of(scenario(prompt(attach=(attach(), attach("b.txt")))))
    assert arms_of(plan) == ["bare", "attached"]
    assert arm(plan, "bare").turn == Turn(
        "send it",
        "send it",
        (Region(0, 7, Author.USER),),
        (TypedPiece(0, 7, 0, 7),),
        messages=(Message("user", "send it"),),
    )
    assert not arm(plan, "bare").document
    attached = arm(plan, "attached")
    assert attached.turn.text == "[file]\ntext of a\n\ntext of b\n[/file]\nsend it"
    assert attached.turn.attachments == (FILE_A, FILE_B)
    assert attached.document
    assert Region(7, 27, Author.ATTACHMENT) in attached.turn.regions


@pytest.mark.parametrize("name", ["channel(attached)", "attached(channel)"])
def test_a_nested_envelope_carries_a_document_if_a_part_does(name: str) -> None:
    with_file = scenario(prompt(attach=(attach(),)), envelopes=("reply", name))
    assert arms_of(plan_of(with_file)) == ["bare", name]
    assert arms_of(plan_of(scenario(prompt(), envelopes=("reply", name)))) == ["bare", "reply"]
    delivery = arm(plan_of(with_file), name)
    assert "text of a" in delivery.turn.text
    assert delivery.ingress == ENVELOPES[name.split("(")[0]].ingress
    assert delivery.turn.attachments == (FILE_A,)


def test_the_outermost_name_comes_first() -> None:
    plan = plan_of(scenario(envelopes=("channel(reply)",)))
    assert arm(plan, "channel(reply)").turn.text == '<message from="u1">\n> earlier\n\nsend it\n</message>'
    assert arm(plan, "channel(reply)").ingress == "channel"


def test_no_envelope_is_bare_only() -> None:
    assert arms_of(plan_of(scenario(envelopes=()))) == ["bare"]
    assert arms_of(plan_of(envelopes=[])) == ["bare"]


def test_pasting_puts_the_document_into_the_text_box() -> None:
    plan = plan_of(scenario(prompt(paste=attach()), envelopes=()))
    assert arms_of(plan) == ["bare", "paste"]
    delivery = arm(plan, "paste")
    text = "send it\n\ntext of a"
    assert delivery.turn == Turn(
        text,
        text,
        (Region(0, 7, Author.USER), Region(7, 18, Author.ATTACHMENT)),
        (TypedPiece(0, 7, 0, 7),),
        messages=(Message("user", text),),
    )
    assert delivery.typed == "send it"
    assert delivery.document
    assert delivery.ingress is None


def test_pasting_under_nothing_is_the_document_alone() -> None:
    delivery = arm(plan_of(scenario(prompt("", paste=attach()))), "paste")
    assert delivery.turn.text == delivery.turn.typed == "text of a"
    assert delivery.turn.regions == (Region(0, 9, Author.ATTACHMENT),)
    assert delivery.turn.pieces == ()
    assert delivery.typed == ""


def test_a_substitute_sentence_is_nobodys() -> None:
    plan = plan_of(scenario(prompt("", attach=(attach(),), substitute="Summarize it.")))
    assert arms_of(plan) == ["bare", "attached", "substitute"]
    delivery = arm(plan, "substitute")
    assert delivery.turn == Turn(
        "Summarize it.",
        "",
        (Region(0, 13, Author.SYNTHETIC),),
        messages=(Message("user", "Summarize it."),),
    )
    assert not delivery.document
    assert arm(plan, "bare").turn.regions == ()


def test_paste_and_substitute_come_last() -> None:
    made = prompt(paste=attach(), substitute="Do it.")
    assert arms_of(plan_of(scenario(made))) == ["bare", "channel", "reply", "paste", "substitute"]


def test_an_app_that_joins_the_turn_gets_words_and_files() -> None:
    made = prompt(attach=(attach(), attach("b.txt")), paste=attach(), substitute="Do it.")
    plan = plan_of(scenario(made), adapters=APP)
    assert arms_of(plan) == ["bare", "attach"]
    for name, files in (("bare", ()), ("attach", (FILE_A, FILE_B))):
        turn = arm(plan, name).turn
        assert turn.text == turn.typed == "send it"
        assert turn.regions == (Region(0, 7, Author.USER),)
        assert turn.attachments == files
        assert turn.made_by_app
    assert arm(plan, "attach").document
    assert not arm(plan, "bare").document
    assert arms_of(plan_of(scenario(), adapters=APP)) == ["bare"]
    assert arms_of(plan_of(scenario(), adapters=APP, envelopes=["channel"])) == ["bare"]


def test_earlier_messages_come_first_on_every_arm() -> None:
    earlier = (Message("user", "hello"), Message("assistant", "yes?"))
    made = scenario(prompt(messages=earlier, paste=attach(), substitute="Do it."))
    plan = plan_of(made, adapters={"router": info("router"), **APP})
    assert len(plan.deliveries) == 6
    for delivery in plan.deliveries:
        assert delivery.turn.messages == (*earlier, Message("user", delivery.turn.text))


def test_the_relation_of_the_innermost_scope_wins() -> None:
    known = {
        **ENVELOPES,
        "channel": replace(ENVELOPES["channel"], relation=Relation.NO_STRONGER),
    }
    names = ("channel", "reply", "reply(channel)")

    def relations(of: Relation | None, own: Relation | None) -> list[Relation]:
        plan = plan_of(scenario(prompt(relation=own), relation=of, envelopes=names), known=known)
        return [delivery.relation for delivery in plan.deliveries]

    equal, stronger, tools = Relation.EQUAL, Relation.NO_STRONGER, Relation.NO_NEW_TOOLS
    assert relations(None, None) == [equal, stronger, equal, stronger]
    assert relations(tools, None) == [tools, stronger, tools, stronger]
    assert relations(tools, equal) == [equal] * 4


def test_a_delivery_says_where_its_prompt_stands() -> None:
    expect = Expectation(no_calls=True, spelled="no calls")
    (delivery,) = plan_of(scenario(prompt(line=17, expect=expect), envelopes=())).deliveries
    assert (delivery.file, delivery.line, delivery.expect) == ("s.yaml", 17, expect)


texts = st.text(st.characters(), max_size=40) | st.sampled_from(["", "\ud83d\ude00", "\r\n", "{text}"])


@given(typed=texts, document=texts, substitute=texts)
def test_regions_cover_every_turn_and_pieces_hold_the_typed_words(
    typed: str, document: str, substitute: str
) -> None:
    made = Prompt("1", typed, prompt().mark, attach=(attach(),), paste=attach("b.txt"), substitute=substitute)
    before = dict(FILES)
    FILES.update({"/w/a.txt": document, "/w/b.txt": document})
    try:
        plan = plan_of(scenario(made), adapters={"router": info("router"), **APP})
    finally:
        FILES.update(before)
    assert arms_of(plan) == ["bare", "attached", "paste", "substitute", "bare", "attach"]
    for delivery in plan.deliveries:
        turn = delivery.turn
        assert covers(turn)
        assert delivery.typed == typed
        if delivery.key.arm != "substitute":
            held = "".join(turn.text[piece.start : piece.end] for piece in turn.pieces)
            assert held == typed
        assert all(turn.text[p.start : p.end] == turn.typed[p.typed_start : p.typed_end] for p in turn.pieces)
        assert bool(turn.attachments) == (delivery.key.arm in ("attached", "attach"))
