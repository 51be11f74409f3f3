"""The cases of kind 4-lanes that the ledger answers, after public reports, through the real command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main

Report = dict[str, Any]
Ask = Callable[..., Report]


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.chdir(tmp_path)

    def ask(*records: Any, registry: str | None = None, more: tuple[str, ...] = ()) -> Report:
        capture = tmp_path / "capture.jsonl"
        capture.write_text("".join(json.dumps(record) + "\n" for record in records))
        if registry is not None:
            (tmp_path / "lanes.toml").write_text(f'schema_version = 1\nunit = "chars"\n{registry}')
        code = main(["lanes", "ledger", "--quiet", "--format", "json", str(capture), *more])
        report: Report = json.loads(capsys.readouterr().out)
        errors = any(finding["severity"] == "error" for finding in report["findings"])
        assert code == (1 if errors else 0)
        for row in report["requests"]:
            assert row["owned"] + row["dark"] == row["sent"]
        return report

    return ask


def lanes(**texts: str) -> dict[str, Any]:
    return {"lanes": [{"name": name, "text": text} for name, text in texts.items()]}


def told(report: Report, kind: str) -> list[Report]:
    return [finding for finding in report["findings"] if finding["kind"] == kind]


def stanza(name: str, **fields: Any) -> str:
    given = {
        "injector": "app.py",
        "budget": 100_000,
        "priority": 1,
        "trust": "owner",
        "evicts": "cut",
        **fields,
    }
    lines = "".join(
        f"{key} = {json.dumps(value) if not isinstance(value, bool) else str(value).lower()}\n"
        for key, value in given.items()
    )
    return f'[[lane]]\nname = "{name}"\n{lines}'


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


def test_an_untrusted_lane_without_a_fence(ask: Ask) -> None:
    registry = "".join(
        stanza(name, trust=trust)
        for name, trust in (("page", "model"), ("tool", "tool"), ("user", "owner"), ("frame", "policy"))
    )
    body = {
        "model": "m",
        "messages": [
            {"role": "user", "content": "Some page text.\n<tool>\nfenced\n</tool>\nWhat is it?"},
            {"role": "tool", "tool_call_id": "1", "content": "in its own message"},
        ],
    }
    claims = [
        {"name": "page", "text": "Some page text.\n"},
        {"name": "frame", "text": "<tool>\n"},
        {"name": "tool", "text": "fenced\n"},
        {"name": "frame", "text": "</tool>\n"},
        {"name": "user", "text": "What is it?"},
        {"name": "tool", "text": "in its own message"},
    ]
    report = ask({"request": body, "lanes": claims}, registry=registry)
    assert [finding["lane"] for finding in told(report, "unfenced")] == ["page"]


def test_dark_text_that_grows_with_the_conversation(ask: Ask) -> None:
    said: list[dict[str, str]] = []
    records = []
    for turn in range(1, 5):
        said.append({"role": "user", "content": f"question {turn}"})
        scope = f"\n[scope block{' and more' * turn}]"
        sent = [*said[:-1], {"role": "user", "content": said[-1]["content"] + scope}]
        claims = [{"name": "history", "text": message["content"]} for message in said]
        records.append({"request": {"model": "m", "messages": sent}, "lanes": claims})
        said.append({"role": "assistant", "content": f"answer {turn}"})
    report = ask(*records)
    (course,) = report["growth"]
    assert course["requests"] == 4 and course["grows"] is True
    assert course["dark"] == sorted(course["dark"])
    assert len(told(report, "growth")) == 1


def test_lanes_of_a_registry_that_no_request_has(ask: Ask) -> None:
    registry = (
        stanza("user_text")
        + stanza("dead", emits="none")
        + stanza("quiet")
        + stanza("page").replace("budget", "# UNREACHABLE: its only caller is gone.\nbudget")
    )
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    report = ask({"request": body, **lanes(user_text="hi")}, registry=registry)
    why = {ghost["lane"]: ghost["why"] for ghost in report["ghosts"]}
    assert why == {"dead": "never produced", "quiet": "not exercised", "page": "unreachable"}
    assert {finding["severity"] for finding in told(report, "ghost")} == {"warning", "note"}


def test_a_lane_that_one_route_lacks_and_an_unregistered_one(ask: Ask) -> None:
    def record(number: int, provider: str) -> dict[str, Any]:
        content = f"scope words\nhello {number}"
        claims = lanes(scope="scope words\n", user=f"hello {number}")
        if provider == "b":
            content, claims = f"hello {number}", lanes(user=f"hello {number}")
        body = {"model": "m", "messages": [{"role": "user", "content": content}]}
        return {"url": f"http://127.0.0.1/{provider}/chat", "request": body, **claims}

    report = ask(*(record(n, p) for n in range(4) for p in "ab"), registry=stanza("user"))
    (missing,) = told(report, "missing")
    assert missing["lane"] == "scope" and "/b/chat" in missing["message"]
    assert [finding["lane"] for finding in told(report, "unregistered")] == ["scope"]


def test_a_first_turn_lacks_no_history(ask: Ask) -> None:
    records = []
    for number in range(12):
        past = [
            {"role": "user", "content": f"one {number}"},
            {"role": "assistant", "content": f"two {number}"},
        ]
        for history in ([], past):
            messages = [*history, {"role": "user", "content": f"hello {number}"}]
            claims = [{"name": "history", "text": message["content"]} for message in history]
            claims.append({"name": "user", "text": f"hello {number}"})
            records.append({"request": {"model": "m", "messages": messages}, "lanes": claims})
    assert not told(ask(*records), "missing")


def test_a_body_that_was_changed_after_the_receipt(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi and more"}]}
    report = ask(
        {"request": body, "receipt": {"sent": 2, "lanes": [{"name": "user", "chars": 2, "start": 0}]}}
    )
    assert report["requests"][0]["dark"] == 9
    assert "saw 2 chars and the capture shows 11" in told(report, "late")[0]["message"]


def test_what_the_app_saw_to_be_missing_owns_nothing(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi and more"}]}
    report = ask({"request": body, "lanes": [{"name": "summary", "chars": 5, "missing": 5}]})
    row = report["requests"][0]
    assert (row["owned"], row["dark"], row["negative"]) == (0, 11, 5)
    assert told(report, "negative")[0]["lane"] == "summary"


def test_dark_text_of_one_route_only_is_told_by_route(ask: Ask) -> None:
    def record(path: str, late: str) -> dict[str, Any]:
        body = {"model": "m", "messages": [{"role": "user", "content": f"hello{late}"}]}
        return {"url": f"http://127.0.0.1{path}", "request": body, **lanes(user="hello")}

    report = ask(*[record("/v1/chat/completions", "")] * 3, *[record("/v1/messages", " LATE BLOCK")] * 3)
    first, second = report["routes"]
    assert (first["route"], first["dark"], first["dark_in"]) == ("/v1/messages", 33, 3)
    assert (second["route"], second["dark"]) == ("/v1/chat/completions", 0)


def test_the_source_tells_a_lane_that_nobody_writes(ask: Ask, tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    (source / "app.ts").write_text("lanes.push({ lane: 'quiet', text })\n")
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    registry = stanza("user") + stanza("quiet") + stanza("unnamed") + stanza("late", emits="none")
    claims = [{"name": "user", "chars": 1, "start": 0}, {"name": "late", "chars": 1, "start": 1}]
    report = ask({"request": body, "lanes": claims}, registry=registry, more=("--src", str(source)))
    why = {ghost["lane"]: ghost["why"] for ghost in report["ghosts"]}
    assert why == {"quiet": "not exercised", "unnamed": "never produced"}
    assert [finding["lane"] for finding in told(report, "emits")] == ["late"]


def test_the_same_few_words_said_again_are_no_repeat(ask: Ask) -> None:
    said = ["go on please", "I did so.", "go on please"]
    roles = ("user", "assistant", "user")
    messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=True)]
    claims = [{"name": "history" if at < 2 else "user", "text": text} for at, text in enumerate(said)]
    assert not told(ask({"request": {"model": "m", "messages": messages}, "lanes": claims}), "repeat")
    file = "A file of rules.\n" * 5
    messages = [{"role": "user", "content": file}, {"role": "user", "content": file}]
    claims = [{"name": name, "text": file} for name in ("host", "sdk")]
    assert told(ask({"request": {"model": "m", "messages": messages}, "lanes": claims}), "repeat")


def test_a_budget_in_bytes_and_one_in_tokens(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "ééé and more"}]}
    claims = [{"name": "a", "text": "ééé"}, {"name": "b", "chars": 9, "start": 3}]
    registry = stanza("a", budget=5, unit="bytes") + stanza("b", budget=1, unit="tokens")
    (over,) = told(ask({"request": body, "lanes": claims}, registry=registry), "over-budget")
    assert "1 bytes over: declared 5, estimated none, measured 6" in over["message"]


def test_text_that_was_cut_before_it_was_sent_is_not_over_budget(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    claims = [{"name": "a", "text": "hi"}, {"name": "b", "text": "never sent " * 20}]
    report = ask({"request": body, "lanes": claims}, registry=stanza("a") + stanza("b", budget=50))
    assert not told(report, "over-budget")
    assert [finding["lane"] for finding in told(report, "negative")] == ["b"]


def test_bare_counts_are_placed_where_one_text_alone_is_as_long(ask: Ask) -> None:
    system, typed = "You are careful and brief.", "what is the time?"
    body: dict[str, Any] = {
        "model": "m",
        "system": system,
        "messages": [{"role": "user", "content": typed}, {"role": "user", "content": "LATE BLOCK"}],
    }
    counts = [{"name": "system", "chars": len(system)}, {"name": "user", "chars": len(typed)}]
    report = ask({"request": body, "lanes": counts})
    row = report["requests"][0]
    assert (row["dark"], row["unplaced"]) == (len("LATE BLOCK"), 0)
    assert '"LATE BLOCK"' in told(report, "dark")[0]["message"]
    twice = [*counts, {"name": "bootstrap", "chars": len(system)}]
    row = ask({"request": body, "lanes": twice})["requests"][0]
    assert (row["dark"], row["double"], row["negative"]) == (len("LATE BLOCK"), len(system), 0)
    # Two texts of one length, or one that somebody else claims: nothing is guessed.
    body["messages"][1]["content"] = "x" * len(typed)
    row = ask({"request": body, "lanes": counts})["requests"][0]
    assert (row["dark"], row["unplaced"]) == (len(typed), len(typed))


def test_what_the_app_could_not_measure_is_no_dark_text(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    receipt: dict[str, Any] = {
        "sent": None,
        "owned": None,
        "dark": None,
        "unmeasured": "the body is a stream",
        "lanes": [],
    }
    report = ask({"request": body, "receipt": receipt})
    row = report["requests"][0]
    assert (row["compared"], row["unmeasured"]) == (False, "the body is a stream")
    assert not told(report, "dark")
    assert "the body is a stream" in told(report, "no-receipt")[0]["message"]


def test_places_are_found_again_where_the_capture_masked_secrets(ask: Ask) -> None:
    key = "sk-abcdefghij0123456789"
    texts = {"rules": f"Use {key} once. ", "memory": f"{key} again. ", "user": "hello"}
    at = 0
    placed = []
    for name, text in texts.items():
        placed.append({"name": name, "chars": len(text), "start": at})
        at += len(text)
    content = "".join(texts.values()).replace(key, "[secret]")
    body = {"model": "m", "messages": [{"role": "user", "content": content + " LATE"}]}
    receipt = {"sent": at + len(" LATE"), "lanes": placed}
    report = ask({"request": body, "receipt": receipt})
    row = report["requests"][0]
    assert (row["dark"], row["negative"], row["double"], row["masked"]) == (len(" LATE"), 0, 0, 2)
    assert [lane["chars"] for lane in row["lanes"]] == [
        len(f"Use {'x' * 8} once. "),
        len("[secret] again. "),
        5,
    ]
    assert '" LATE"' in told(report, "dark")[0]["message"]
    assert not told(report, "late")
    report = ask({"request": body, "receipt": {**receipt, "sent": at + 6}})
    assert "several secrets" in told(report, "late")[0]["message"]
    assert not told(report, "dark") and not report["requests"][0]["compared"]
