"""The ladder by which the typed words are found in a turn."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.capture.chains import chains_of, places
from workbench.capture.finding import Rung, find_words
from workbench.capture.isolation import choices, isolation
from workbench.capture.pairing import Pair
from workbench.capture.turns import Place
from workbench.core.transform import Transform, apply_to_text


def pair(typed: str, wrapped: str) -> Pair:
    return Pair(typed, wrapped, Place("a.jsonl", 1))


WORDS = 'is "plan B" & <later>\nstill on?'


@pytest.mark.parametrize(
    ("wrapped", "transform"),
    [
        (f"<m>\n{WORDS}\n</m>", None),
        (f"<m>{html.escape(WORDS)}</m>", Transform.HTML_ESCAPE),
        (json.dumps({"message": WORDS}), Transform.JSON_ESCAPE),
        (f"<@U1> {html.escape(WORDS, quote=False)}", Transform.SLACK_ESCAPE),
        (f"text={quote_plus(WORDS)}&n=1", Transform.FORM_ENCODE),
        (f"?q={quote(WORDS, safe='')}&n=1", Transform.URL_ENCODE),
        (f"request:\n    {WORDS.replace(chr(10), chr(10) + ' ' * 4)}\nend", Transform.INDENT_4),
        ("[q]\n" + "\n".join(f"> {line}" for line in WORDS.split("\n")), Transform.QUOTE_PREFIX),
        ("Hi\r\n\r\n" + WORDS.replace("\n", "\r\n"), Transform.CRLF),
        (f"| text | {WORDS.replace(chr(10), '<br>')} |", Transform.BR),
        (f"<p>{WORDS.replace(chr(10), '<br/>')}</p>", Transform.BR_SLASH),
        (f"<p>{WORDS.replace(chr(10), '<br />' + chr(10))}</p>", Transform.NL2BR),
        ("[ctx] " + " ".join(WORDS.split()), Transform.COLLAPSE_SPACE),
        (f"job {base64.b64encode(WORDS.encode()).decode()}", Transform.BASE64),
    ],
)
def test_words_are_found_after_each_transform(wrapped: str, transform: Transform | None) -> None:
    found = find_words(pair(WORDS, wrapped))
    assert [name for name, _ in found.chain] == ([] if transform is None else [transform])
    assert found.exact
    ((start, end), *_) = found.spans
    assert wrapped[start:end] == apply_to_text(found.chain, WORDS)


QUOTES = 'it\'s "plan B" & <later>'


@pytest.mark.parametrize(
    ("double", "single", "transform"),
    [
        ('"', "'", Transform.SLACK_ESCAPE),
        ("&quot;", "'", Transform.ATTRIBUTE_ESCAPE),
        ("&quot;", "&#x27;", Transform.HTML_ESCAPE),
        ("&quot;", "&#39;", Transform.HTML_ESCAPE_39),
        ("&#34;", "&#39;", Transform.HTML_ESCAPE_34),
        ("&quot;", "&apos;", Transform.XML_ESCAPE),
    ],
)
def test_each_way_to_escape_markup_is_told_from_the_others(
    double: str, single: str, transform: Transform
) -> None:
    escaped = html.escape(QUOTES, quote=False).replace('"', double).replace("'", single)
    found = find_words(pair(QUOTES, f"<m>{escaped}</m>"))
    assert found.chain == ((transform, None),)


@pytest.mark.parametrize(
    ("wrapped", "chain"),
    [
        (f"'a','{QUOTES.replace(chr(39), chr(39) * 2)}'", (Transform.SQL_ESCAPE,)),
        (f'1,"{QUOTES.replace(chr(34), chr(34) * 2)}",2', (Transform.CSV_ESCAPE,)),
        (json.dumps({"a": "né"}).replace("né", "n\\u00e9"), (Transform.JSON_ASCII,)),
        (
            json.dumps({"body": json.dumps({"a": WORDS})}),
            (Transform.JSON_ESCAPE, Transform.JSON_ESCAPE),
        ),
        (
            json.dumps({"body": json.dumps({"a": "né"})}),
            (Transform.JSON_ASCII, Transform.JSON_ESCAPE),
        ),
    ],
)
def test_other_escapes_are_told_by_what_stands_there(wrapped: str, chain: tuple[Transform, ...]) -> None:
    typed = next(words for words in (QUOTES, WORDS, "né") if find_words(pair(words, wrapped)).exact)
    assert tuple(name for name, _ in find_words(pair(typed, wrapped)).chain) == chain


def test_tokens_and_spaces_that_the_app_takes_out() -> None:
    found = find_words(pair("@doc:notes  how   long is it? ", "how long is it?\n\n<document>x</document>"))
    assert {name for name, _ in found.chain} >= {Transform.DROP_TOKEN, Transform.COLLAPSE_SPACE}


def test_words_that_all_are_cut_at_one_length() -> None:
    long = [f"{number} please tell me all that there is about the boat" for number in range(3)]
    pairs = [pair(words, f"[x] {words[:30]}") for words in long]
    assert chains_of(pairs)[0][0] == ((Transform.TRUNCATE, 30),)


@pytest.mark.parametrize(
    ("typed", "wrapped", "rung", "said"),
    [
        (
            ".b echo http://localhost/ done",
            ".b echo\u00a0<http://localhost/>\u00a0done",
            Rung.CANONICAL,
            "no-break",
        ),
        ("it's done", "[x] it’s done", Rung.CANONICAL, "typographic"),
        ("!run --title 'q3' now", "!run —title ‘q3’ now", Rung.CANONICAL, "typographic"),
        ("tell <b> & 'co'", "<m>tell &lt;b&gt; &amp; 'co' &quot;</m>", Rung.TRANSFORMED, "slack"),
        ("a \"b\" 'c' & d", "<m>a &#034;b&#034; 'c' &#038; d</m>", Rung.DECODED, "HTML"),
        ("né à midi", '{"m": "n\\u00e9 \\u00E0 midi"}', Rung.DECODED, "JSON"),
        ("look at @/src/a.py please", "<task>look at please</task>", Rung.REDUCED, "tokens"),
        ("rename the helper in the old file", "rename the helper in 'old.py' file", Rung.ALIGNED, "edited"),
        ("feed the cat", "the boat leaves at nine", Rung.ABSENT, "of them"),
        ("ja", "nein", Rung.ABSENT, "none"),
    ],
)
def test_what_is_further_from_the_letter_says_how(typed: str, wrapped: str, rung: Rung, said: str) -> None:
    found = find_words(pair(typed, wrapped))
    assert found.rung is rung
    assert said in found.reason


def test_in_json_words_are_escaped_though_no_character_of_them_is() -> None:
    pairs = [pair(words, json.dumps({"status": "denied", "feedback": words})) for words in ("no", "not now")]
    assert chains_of(pairs)[0][0] == ((Transform.JSON_ESCAPE, None),)


def test_where_all_lines_end_in_crlf_the_words_do_too() -> None:
    pairs = [pair(words, f"{words}\r\n\r\nFrom: x\r\n") for words in ("no", "not now")]
    assert chains_of(pairs)[0][0] == ((Transform.CRLF, None),)


def test_words_within_longer_words_are_none_of_theirs() -> None:
    assert places((), pair("go", "[going gone] go")) == ((13, 15),)
    assert places((), pair("go", "[going gone]")) == ((1, 3), (7, 9))


class TestIsolation:
    def test_a_line_of_its_own_stands_further_apart_than_a_quote(self) -> None:
        text = '[Replying to: "go"]\n\ngo'
        quote, line = places((), pair("go", text))
        assert isolation(text, line) > isolation(text, quote)

    def test_of_several_places_that_one_comes_first_that_is_alike_in_all_turns(self) -> None:
        pairs = [
            pair("go", 'I said go, and "go"\n--\ngo\n--'),
            pair("stop", "stop it\n--\nstop\n--"),
            pair("wait", "no\n--\nwait\n--"),
        ]
        first = next(iter(choices((), pairs)))
        assert [
            one.wrapped[: spans[0][0]].endswith("--\n") for one, spans in zip(pairs, first, strict=True)
        ] == [True] * 3


@given(st.text(min_size=1, max_size=60).filter(str.strip), st.text(max_size=40), st.text(max_size=40))
def test_words_that_stand_there_are_found_as_typed(words: str, before: str, after: str) -> None:
    wrapped = f"{before}\n{words}\n{after}"
    found = find_words(pair(words, wrapped))
    assert found.exact
    assert all(wrapped[start:end] == apply_to_text(found.chain, words) for start, end in found.spans)
