"""What is private never stands in an envelope, wherever in a log it stood."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from capture_logs import NAMES, TIMES, TYPED, turns_of, write_log
from command import Bench
from hypothesis import given
from hypothesis import strategies as st

from workbench.capture.capturing import capture
from workbench.capture.redaction import example_of, masked, private_spans
from workbench.capture.shelving import put, shelf_of
from workbench.core.envelope import SlotKind
from workbench.files.examples import example_fits

_LONG = "Zx81qLm2" * 6

SECRETS = {
    "OpenAI": f"sk-proj-{_LONG[:32]}",
    "Anthropic": f"sk-ant-api03-{_LONG[:32]}",
    "GitHub": f"ghp_{_LONG[:36]}",
    "GitLab": f"glpat-{_LONG[:20]}",
    "AWS": "AKIA" + "Q3EGRT5OP2LX7WNA",
    "AWS secret": "wJalrXUtnFEMIK7MDENGbPxRfiCYzQ3EGRT5OP2L",
    "Google": f"AIza{_LONG[:35]}",
    "Slack": "xoxb-" + "123456789012-abcdefABCDEF",
    "Stripe": "sk_live_" + _LONG[:24],
    "JWT": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{_LONG[:30]}",
    "private key": f"-----BEGIN PRIVATE KEY-----\n{_LONG}\n{_LONG}\n-----END PRIVATE KEY-----",
    "bearer": f"Bearer {_LONG[:40]}",
    "password": "hunter2hunter2hunter2",
}
"""Thirteen kinds. The last one is a secret by its name alone."""

PLACES = ("frame", "slot", "quote", "words", "json")


def _frame(secret: str, place: str) -> tuple[list[str], list[str]]:
    """The words and the wrapped texts of some turns with a secret in one of their places."""
    typed, wrapped = [], []
    for number, plain in enumerate(TYPED):
        said = f"password={secret}" if secret == SECRETS["password"] else secret
        words = f"{plain} {said}" if place == "words" else plain
        constant = said if place == "frame" else "none"
        value = said if place == "slot" and number % 2 else NAMES[number]
        quote = (
            f"see {said} and {number}"
            if place == "quote"
            else f"as told by {NAMES[number]} at {TIMES[number]}"
        )
        meta = json.dumps(
            {"n": number, "password" if place == "json" else "p": secret if place == "json" else "x"}
        )
        typed.append(words)
        wrapped.append(
            f"[from {value} key {constant}]\n```json\n{meta}\n```\n<quote>{quote}</quote>\n\n{words}"
        )
    return typed, wrapped


@pytest.mark.parametrize("keep_values", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", SECRETS)
def test_a_planted_secret_never_stands_in_an_envelope(
    kind: str, place: str, keep_values: bool, tmp_path: Path
) -> None:
    secret = SECRETS[kind]
    typed, wrapped = _frame(secret, place)
    turns = turns_of(lambda _, number: wrapped[number], typed)
    captured = capture(turns, {}, keep_values=keep_values)
    done = put(captured, shelf_of(tmp_path), [Path("a.jsonl")])
    written = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    assert [one.act.value for one in done] == ["written"]
    assert len(captured.misfits) == 0
    for part in (secret, *(line for line in secret.split("\n") if line == _LONG)):
        assert part not in written
        assert json.dumps(part)[1:-1] not in written


@pytest.mark.parametrize("kind", SECRETS)
def test_a_planted_secret_is_not_said_either(kind: str, bench: Bench) -> None:
    secret = SECRETS[kind]
    typed, wrapped = _frame(secret, "frame")
    records = [{"typed": one, "wrapped": other} for one, other in zip(typed, wrapped, strict=True)]
    write_log(bench.folder / "a.jsonl", [*records, {"typed": secret, "wrapped": "nothing of the kind"}])
    with (bench.folder / "a.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(f'{{"typed": "{secret}\n')
    for form in ("text", "json"):
        done = bench("capture", "a.jsonl", "-o", form, "--format", form, "--keep-values")
        assert done.code == 0, done.said
        for part in secret.split("\n"):
            if len(part) >= 20 and "PRIVATE KEY" not in part:
                assert part not in done.text + done.said


@pytest.mark.parametrize("keep_values", [False, True])
@pytest.mark.parametrize(
    "private",
    [
        *("ana.lopez@corp.example", "+351 912 345 678", "(555) 867-5309", "+4915112345678"),
        *("020 7946 0958", "06 12 34 56 78", "0151 23456789", "1-800-555-0199"),
    ],
)
def test_addresses_and_numbers_of_people_are_masked(private: str, keep_values: bool, tmp_path: Path) -> None:
    def frame(words: str, number: int) -> str:
        contact = private if number < 6 else f"{number}@corp.example"
        return f'<from contact="{contact}" to="{private}">\n{words}\n</from>'

    captured = capture(turns_of(frame), {}, keep_values=keep_values)
    put(captured, shelf_of(tmp_path), [Path("a.jsonl")])
    written = "".join(path.read_text("utf-8") for path in tmp_path.iterdir())
    assert "envelope:" in written
    assert private not in written


def test_values_are_made_up_unless_they_are_asked_for(tmp_path: Path) -> None:
    def frame(words: str, number: int) -> str:
        return f'<from name="{NAMES[number]}" at="{TIMES[number]}">\n{words}\n</from>'

    for keep, folder in ((False, tmp_path / "made"), (True, tmp_path / "kept")):
        put(capture(turns_of(frame), {}, keep_values=keep), shelf_of(folder), [Path("a.jsonl")])
    made, kept = (
        "".join(path.read_text("utf-8") for path in (tmp_path / name).iterdir()) for name in ("made", "kept")
    )
    assert not any(name in made for name in (*NAMES[:4], *TIMES))
    assert NAMES[0] in kept
    assert TIMES[0] in kept


@given(st.text(max_size=200))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = masked(text)
    assert masked(once) == once


@given(st.text(alphabet=string.printable + "@+éß", max_size=200))
def test_private_spans_lie_in_the_text_and_apart(text: str) -> None:
    at = 0
    for start, end, _ in private_spans(text):
        assert at <= start < end <= len(text)
        at = end


@pytest.mark.parametrize("kind", SlotKind)
@pytest.mark.parametrize(
    "value", ["10:00", "Tue, 3 Mar 2026 09:14", "a1b2c3d4", "{}", "[1]", "x", "", "a b\nc"]
)
def test_a_made_up_example_is_of_its_kind(kind: SlotKind, value: str) -> None:
    assert example_fits(kind, example_of(kind, value))
