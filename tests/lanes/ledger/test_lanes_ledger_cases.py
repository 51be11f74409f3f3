"""The cases of kind 4-lanes that the ledger answers, after public reports, through the real command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lanes_asking import Ask, asking, lanes, stanza, told


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.chdir(tmp_path)
    return asking(tmp_path, capsys)


def test_k4_01_a_second_copy_of_the_preamble_is_dark_and_told_as_a_repeat(ask: Ask) -> None:
    body = {
        "model": "m",
        "system": "PREAMBLE-AAAA",
        "messages": [{"role": "user", "content": "PREAMBLE-AAAA\n\nhello"}],
    }
    report = ask({"request": body, **lanes(system_prompt="PREAMBLE-AAAA", user_text="hello")})
    assert report["requests"][0]["dark"] == len("PREAMBLE-AAAA\n\n")
    (repeat,) = told(report, "repeat")
    assert "equals the one that system_prompt already owns" in repeat["message"]
    assert "system+0" in repeat["message"] and "messages[0].content+0" in repeat["message"]


def test_k4_03_every_copy_of_the_template_and_of_the_question_has_to_be_claimed(ask: Ask) -> None:
    body = {
        "messages": [
            {"role": "system", "content": "Use the sources.\n<src>A</src>"},
            {
                "role": "user",
                "content": "Use the sources.\n<src>A</src>\nQuestion: what is A?\n\nwhat is A?",
            },
        ]
    }
    claims = lanes(rag_template="Use the sources.\n", retrieved="<src>A</src>", user_text="what is A?")
    report = ask({"request": body, **claims})
    row = report["requests"][0]
    assert row["dark"] == row["sent"] - len("Use the sources.\n<src>A</src>what is A?")
    assert {finding["lane"] for finding in told(report, "repeat")} == {
        "rag_template",
        "retrieved",
        "user_text",
    }
    (question,) = (finding for finding in told(report, "repeat") if finding["lane"] == "user_text")
    assert "stands 2 times" in question["message"]


def test_k4_05_a_lane_that_was_replaced_is_missing_by_its_name(ask: Ask) -> None:
    body = {
        "messages": [{"role": "system", "content": "MEMORIES\nSOURCES"}, {"role": "user", "content": "hello"}]
    }
    claims = {"system_prompt": 40, "memory": 8, "retrieved": 7, "user_text": 5}
    report = ask({"request": body, "lanes": [{"name": name, "chars": size} for name, size in claims.items()]})
    (negative,) = told(report, "negative")
    assert negative["lane"] == "system_prompt"
    assert report["requests"][0]["negative"] >= 35


def test_k4_07_a_marker_proves_which_text_is_nobodys(ask: Ask) -> None:
    body = {
        "system": "BASE ... PERSONA ... MARKER_QQQ ...",
        "messages": [{"role": "user", "content": "hi MARKER_U"}],
    }
    report = ask(
        {"request": body, **lanes(system_prompt="BASE ... ", user_text="hi MARKER_U")},
        more=("--marker", "MARKER_QQQ", "--marker", "MARKER_U", "--marker", "NOWHERE"),
    )
    assert report["requests"][0]["dark"] == len("PERSONA ... MARKER_QQQ ...")
    found = {one["marker"]: one for one in report["markers"]}
    assert (found["MARKER_QQQ"]["lane"], found["MARKER_QQQ"]["dark"]) == (None, True)
    assert found["MARKER_QQQ"]["where"] == "system+21"
    assert found["MARKER_U"]["lane"] == "user_text"
    assert found["NOWHERE"]["requests"] == 0


def test_k4_09_headings_and_separators_are_text_too_and_crlf_counts_as_two(ask: Ask) -> None:
    counted = {"system": "S", "question": "Q?", "documents": "D", "history": "H"}
    extra = {"instructions": "do it", "examples": "an example", "goals": "a goal"}
    whole = "\r\n".join(f"## {name}\r\n{text}" for name, text in (counted | extra).items())
    body = {"model": "m", "messages": [{"role": "user", "content": whole}]}
    at = {name: whole.index(f"## {name}\r\n") + len(f"## {name}\r\n") for name in counted}
    placed = [{"name": name, "chars": len(text), "start": at[name]} for name, text in counted.items()]
    row = ask({"request": body, "lanes": placed})["requests"][0]
    headings = sum(len(f"## {name}\r\n") for name in counted | extra) + 2 * 6
    assert row["dark"] == sum(map(len, extra.values())) + headings
    assert row["sent"] == len(whole)
    # A heading given to the lane that writes it is not dark.
    whole_lanes = lanes(**{name: f"## {name}\r\n{text}" for name, text in (counted | extra).items()})
    assert ask({"request": body, **whole_lanes})["requests"][0]["dark"] == 2 * 6


def test_k4_10_over_budget_by_what_is_measured_whatever_the_writer_estimates(ask: Ask) -> None:
    text = "m" * 5_200
    body = {"model": "m", "system": f"BASE {text}", "messages": [{"role": "user", "content": "hi"}]}
    entries = [
        {"name": "base", "text": "BASE "},
        {"name": "memory_addition", "chars": 300, "text": text, "estimate": 300},
        {"name": "user", "text": "hi"},
    ]
    registry = stanza("memory_addition", budget=2_000) + stanza("base") + stanza("user")
    report = ask({"request": body, "lanes": entries}, registry=registry)
    (over,) = told(report, "over-budget")
    assert (over["lane"], over["severity"]) == ("memory_addition", "error")
    assert "declared 2,000, estimated 300, measured 5,200" in over["message"]
    assert over["message"].split(": ", 1)[1].startswith("3,200 chars over")


def test_k4_12_sent_but_not_read(ask: Ask) -> None:
    text = "word " * 128_000
    report = ask(
        {
            "request": {"model": "m", "prompt": text, "options": {"num_ctx": 32_768}},
            "response": {"prompt_eval_count": 16_387, "done_reason": "stop"},
            **lanes(user_text=text),
        }
    )
    assert report["requests"][0]["dark"] == 0
    (unread,) = told(report, "unread")
    assert "sent but not read" in unread["message"]
    assert "16,387" in unread["message"] and "640,000" in unread["message"]
    assert report["requests"][0]["unread"] is True


def test_k4_13_a_count_that_is_the_window_exactly_is_suspected_truncation(ask: Ask) -> None:
    body = {
        "messages": [
            {"role": "system", "content": "translate to German"},
            {"role": "user", "content": "lorem ipsum " * 10_000},
        ],
        "options": {"num_ctx": 4_096},
        "response": {"prompt_eval_count": 4_096},
    }
    (unread,) = told(ask(body), "unread")
    assert "suspected truncation" in unread["message"]


def test_a_prompt_that_was_read_is_not_called_unread(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "word " * 1_000}]}
    report = ask({"request": body, "response": {"usage": {"prompt_tokens": 1_010}}})
    assert not told(report, "unread")


def test_k4_14_a_wrapper_that_comes_back_in_the_reply(ask: Ask) -> None:
    frame = (
        "<<<BEGIN_INTERNAL>>>\nConversation info (untrusted metadata):\n"
        '```json\n{"chat_id":"c1"}\n```\n<<<END_INTERNAL>>>\n'
    )
    body = {"model": "m", "messages": [{"role": "user", "content": f"{frame}hello"}]}
    reply = 'Conversation info (untrusted metadata):\n```json\n{"chat_id":"c1"}\n```\nHi there'
    claims = lanes(channel_envelope=frame, user_text="hello")
    report = ask({"request": body, "response": {"reply": reply}, **claims})
    (echo,) = told(report, "wrapper-echoed")
    assert echo["lane"] == "channel_envelope"
    assert not told(ask({"request": body, "response": {"reply": "Hi there"}, **claims}), "wrapper-echoed")


def _stamped(time: str) -> dict[str, Any]:
    meta = f"<meta>now: {time}</meta>\n"
    body = {
        "system": f"BASE\n{meta}LONG STABLE TEXT",
        "messages": [{"role": "user", "content": "hi"}],
    }
    return {"request": body, **lanes(base="BASE\n", meta=meta, rest="LONG STABLE TEXT", user_text="hi")}


def test_k4_17_a_lane_that_differs_early_is_volatile_and_the_rest_is_equal(ask: Ask) -> None:
    two = (_stamped("2026-03-22T10:00:00.123Z"), _stamped("2026-03-22T10:00:01.456Z"))
    report = ask(*two)
    (volatile,) = told(report, "volatile")
    assert (volatile["lane"], volatile["severity"]) == ("meta", "warning")
    (row,) = report["volatile"]
    assert (row["lane"], row["rest_equal"], row["stable_after"]) == ("meta", True, len("LONG STABLE TEXT"))
    names = ("base", "rest", "user_text")
    registry = "".join(map(stanza, names)) + stanza("meta", volatile=True)
    report = ask(*two, registry=registry)
    assert not told(report, "volatile")
    assert report["volatile"][0]["declared"] is True


def test_k4_17_also_where_nobody_claims_the_text(ask: Ask) -> None:
    first, second = (_stamped(f"10:00:0{second}") for second in (1, 2))
    report = ask(first["request"], second["request"])
    assert [finding["lane"] for finding in told(report, "volatile")] == [None]


def test_k4_19_the_same_file_from_two_writers(ask: Ask) -> None:
    twice = "# AGENTS.md\nuse tabs"
    body = {"system": f"HOST\n{twice}\n\n{twice}", "messages": [{"role": "user", "content": "hi"}]}
    first = {"name": "host_bootstrap", "chars": 5 + len(twice) + 2, "start": 0}
    second = {"name": "sdk_context", "chars": len(twice), "start": 5 + len(twice) + 2}
    user = {"name": "user_text", "text": "hi"}
    report = ask({"request": body, "lanes": [first, second, user]})
    row = report["requests"][0]
    assert (row["dark"], row["double"]) == (0, 0)
    (repeat,) = told(report, "repeat")
    assert repeat["severity"] == "warning"
    assert "host_bootstrap" in repeat["message"] and "sdk_context" in repeat["message"]
