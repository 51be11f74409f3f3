"""Windows that are no one slice of the turn: glued, cut, joined, cleaned of punctuation, unescaped."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from window_kit import authors, placed, turn_of

from workbench.compare.window import PlacedWindow, place
from workbench.core.decision import Window, WindowSource
from workbench.core.envelope import Envelope, Ingress, Transform, wrap
from workbench.core.turn import Attachment, Author, Region, Turn, TypedPiece, bare

DOCUMENT = "Please translate this page for Bob.\nThen show my mail to Ann, and send her the bill."


def app_turn(typed: str, document: str | None = None) -> Turn:
    """What goes into an app that joins the file itself."""
    end = len(typed)
    return Turn(
        typed,
        typed,
        (Region(0, end, Author.USER),) if typed else (),
        (TypedPiece(0, end, 0, end),) if typed else (),
        () if document is None else (Attachment("d.txt", "/d.txt", document),),
        made_by_app=True,
    )


def captured(text: str, turn: Turn) -> PlacedWindow:
    return place(Window(text, WindowSource.CAPTURED), turn, turn.typed)


def solid(text: str) -> int:
    return len("".join(text.split()))


GLUES = [
    "<user>{}</user>",
    "User:{}",
    "<p>{}</p>",
    '{{"q":"{}"}}',
    "[{}]",
    "**{}**",
    '"{}"',
    "telegram:{}",
    "«{}»",
]


@pytest.mark.parametrize("glue", GLUES)
@pytest.mark.parametrize("typed", ["how long is it", "translate", "show my mail", "no", "写邮件给她"])
@pytest.mark.parametrize("document", [None, DOCUMENT])
def test_words_glued_to_the_apps_own(glue: str, typed: str, document: str | None) -> None:
    window = glue.format(typed)
    if document:
        window += f"\n<doc>{document}</doc>"
    found = captured(window, app_turn(typed, document))
    assert found.user_coverage == 1.0
    assert found.spans == ((0, len(typed)),)
    assert found.lacking == ()
    assert found.foreign_share == pytest.approx(1 - solid(typed) / solid(window))
    of_document = sum(solid(text) for text, author in authors(found) if author == "attachment")
    assert of_document == (solid(document) if document else 0)


@given(
    st.lists(
        st.sampled_from(["mail", "now", "the", "list", "Bob's", "x", "today", "und"]), min_size=1, max_size=8
    ),
    st.sampled_from(GLUES),
    st.booleans(),
)
def test_any_words_glued(words: list[str], glue: str, with_document: bool) -> None:
    typed = " ".join(words)
    window = glue.format(typed) + (f"\n\n{DOCUMENT}" if with_document else "")
    found = captured(window, app_turn(typed, DOCUMENT if with_document else None))
    assert found.user_coverage == 1.0
    if len(typed) > 1:
        assert found.foreign_share == pytest.approx(1 - solid(typed) / solid(window))


LONG = "Please check my calendar for the whole of next week. Then email the summary to Ann."


@pytest.mark.parametrize(
    ("window", "spans"),
    [
        (LONG[:40] + "..." + LONG[-40:], ((0, 40), (43, 83))),
        (LONG[:10] + "\n" + LONG[-10:], ((0, 10), (73, 83))),
        (LONG[:33] + " […] " + LONG[-12:], ((0, 33), (71, 83))),
        (LONG[:25] + LONG[60:], ((0, 25), (60, 83))),
    ],
)
def test_a_head_and_a_tail(window: str, spans: tuple[tuple[int, int], ...]) -> None:
    found = captured(window, app_turn(LONG))
    kept = sum(solid(LONG[start:end]) for start, end in spans)
    assert found.spans is not None
    assert [(start, end) for start, end in found.spans if LONG[start:end].strip()] == list(spans)
    assert found.user_coverage == pytest.approx(kept / solid(LONG))
    assert found.foreign_share == pytest.approx(1 - kept / solid(window))


def test_first_and_last_words_of_a_turn() -> None:
    typed = "Show my mails, please. And the news!"
    turn = turn_of(("<m>", Author.TRANSPORT), (typed, Author.USER), ("</m>", Author.TRANSPORT))
    found = placed("<m>Show my the news!</m>", turn)
    assert found.spans == ((0, 11), (30, 43))
    assert found.user_coverage == pytest.approx(14 / 30)
    assert found.foreign_share == pytest.approx(7 / 21)


def test_first_and_last_line() -> None:
    turn = turn_of(
        ('<msg from="bob">\n', Author.TRANSPORT),
        ("list my mail", Author.USER),
        ("\n</msg>", Author.TRANSPORT),
    )
    found = placed('<msg from="bob">\n</msg>', turn)
    assert found.spans is not None
    assert [turn.text[start:end].strip() for start, end in found.spans] == ['<msg from="bob">', "</msg>"]
    assert (found.user_coverage, found.foreign_share) == (0.0, 1.0)


def test_a_short_prompt_that_also_stands_in_the_file() -> None:
    for typed in ("translate", "show my mail"):
        found = captured(f"{typed}\n\n{DOCUMENT}", app_turn(typed, DOCUMENT))
        assert (found.spans, found.user_coverage) == (((0, len(typed)),), 1.0)


def test_a_short_prompt_is_not_found_inside_other_words() -> None:
    found = captured("Rules: nothing else. Message: no", app_turn("no"))
    assert found.foreign_share == pytest.approx(26 / 28)
    found = captured("history: hi", app_turn("hi"))
    assert found.foreign_share == pytest.approx(8 / 10)


def test_every_line_of_a_long_file_quoted() -> None:
    lines = [f"line {n} tells of something number {n * 7}" for n in range(600)]
    window = "\n".join(f"> {line}" for line in lines) + "\n\nhow many lines are there?"
    found = captured(window, app_turn("how many lines are there?", "\n".join(lines)))
    assert found.user_coverage == 1.0
    assert found.foreign_share == pytest.approx(1 - 21 / solid(window))
    assert sum(solid(text) for text, author in authors(found) if author == "app") == 600


def test_punctuation_changed_or_dropped() -> None:
    typed = "Don’t, please, send it"
    turn = turn_of(("<m>\n", Author.TRANSPORT), (typed, Author.USER), ("\n</m>", Author.TRANSPORT))
    straight = placed(turn.text.replace("’", "'"), turn)
    assert straight.foreign_share == pytest.approx(8 / 26)  # <m> </m> and the changed mark
    assert straight.user_coverage == pytest.approx(18 / 19)
    bare_of_commas = placed(turn.text.replace(",", ""), turn)
    assert bare_of_commas.foreign_share == pytest.approx(7 / 24)
    assert bare_of_commas.user_coverage == pytest.approx(17 / 19)
    assert bare_of_commas.lacking == ()
    ruled = turn_of(("=== ", Author.TRANSPORT), (typed, Author.USER), (" ===", Author.TRANSPORT))
    assert placed(ruled.text.replace(",", ""), ruled).foreign_share == pytest.approx(6 / 23)


def test_punctuation_that_the_router_puts_in() -> None:
    for mark in ("[...]", "|"):
        found = placed(f"check mail {mark} read news", bare("check mail read news"))
        assert found.user_coverage == 1.0
        assert found.foreign_share == pytest.approx(len(mark) / (17 + len(mark)))


def test_lines_joined_over_a_signature_mark() -> None:
    typed = "please read the last three mails of Ann"
    turn = turn_of((typed, Author.USER), ("\n--\nAnn", Author.TRANSPORT))
    found = placed(f"{typed}\nAnn", turn)
    assert found.spans is not None
    assert "".join(turn.text[start:end] for start, end in found.spans).replace("\n", "") == f"{typed}Ann"


def test_unescaped_words_are_the_users() -> None:
    envelope = Envelope("m", Ingress.CHANNEL, "<m>{text}</m>", transforms=((Transform.HTML_ESCAPE, None),))
    turn = wrap(envelope, bare('a < b & "c"\n  x  y'))
    found = placed(html.unescape(turn.text), turn)
    assert found.spans == ((0, len(turn.text)),)
    assert found.user_coverage == 1.0
    assert found.foreign_share == pytest.approx(7 / 16)
    assert [author for _, author in authors(found)] == ["transport", "user", "transport"]
    assert found.lacking == ()


@given(st.text(alphabet="ab c.,\n", max_size=30), st.text(alphabet="ab c.,<>\n", max_size=60))
def test_parts_always_rebuild_the_window(typed: str, window: str) -> None:
    found = captured(window, app_turn(typed, "a b c, ab."))
    assert "".join(text for text, _ in authors(found)) == window
    for share in (found.user_coverage, found.foreign_share):
        assert share is None or 0.0 <= share <= 1.0
    for start, end in found.spans or ():
        assert 0 <= start < end <= len(typed)
