"""What the ledger finds over many requests, and what it must not, through the real command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lanes_asking import Ask, asking, lanes, stanza, told


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.chdir(tmp_path)
    return asking(tmp_path, capsys)


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


def test_a_size_below_nothing_is_told_and_the_rest_of_its_receipt_counts(ask: Ask) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi and more"}]}
    lanes = [{"name": "user", "chars": 11, "text": "hi and more"}, {"name": "summary", "chars": -4}]
    report = ask({"request": body, "lanes": lanes})
    row = report["requests"][0]
    assert (row["owned"], row["dark"]) == (11, 0)
    (negative,) = told(report, "negative")
    assert (negative["lane"], negative["severity"]) == ("summary", "error")
    assert "-4" in negative["message"]


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
