"""The request of a trial: each writer's share adds up to what was sent, in every provider's format."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.adapters.model import ModelAdapter
from workbench.adapters.protocol import Place
from workbench.adapters.tools.source import ToolFile
from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery, Run
from workbench.core.claims import Claimed, Claims
from workbench.core.envelope import Envelope, Ingress, wrap
from workbench.core.errors import WorkbenchError
from workbench.core.exchange import Exchange
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Message, Turn, bare
from workbench.files.source import Source
from workbench.lanes.cell import Extent, lane_views, lanes_of
from workbench.lanes.lane import Bound, Trust, Unit
from workbench.lanes.own import LANES, OWN
from workbench.lanes.registry import parse_registry
from workbench.lanes.requested import (
    NotMeasured,
    Requested,
    Unmeasured,
    requested,
    workspace_registry,
)
from workbench.replay.plan import describe
from workbench.report.formats import write
from workbench.report.writer import Style
from workbench.wire.registry import names

TOOLS = """
- name: create_event
  description: Puts an event into the calendar.
  parameters: {type: object, properties: {title: {type: string, description: "What it is: «lunch»"}}}
- name: now
"""
FRAME = Envelope("channel", Ingress.CHANNEL, "<message from=chat>\n{text}\n</message>")
FILE = Envelope("file", Ingress.ATTACHMENT, "{text}\n\n[file]\n{document}\n[/file]")


def adapter(folder: Path, api: str, **more: Any) -> ModelAdapter:
    path = folder / "tools.yaml"
    path.write_text(TOOLS, encoding="utf-8")
    given = {"api": api, "model": "m", "system": "You help.\nBe brief.", "tools": ToolFile(path), **more}
    return ModelAdapter(
        "m", Place(folder), **{key: value for key, value in given.items() if value is not None}
    )


def delivery(turn: Turn, **more: Any) -> Delivery:
    return Delivery(CellKey("s", "1", "bare", "m"), turn.typed, turn, **more)


def trial(sent: str, claims: Claims | None = None) -> Trial:
    return Trial(0, Status.OK, exchange=Exchange("http://127.0.0.1", sent, claims=claims))


def account_of(made: ModelAdapter, turn: Turn) -> Requested:
    sent = made.body_of(turn).decode("utf-8")
    found = requested(trial(sent), delivery(turn), describe(made, "model"))
    assert isinstance(found, Requested)
    return found


def chars(found: Requested) -> dict[str, int]:
    return {bar.lane: bar.chars for bar in found.bars}


def with_messages(turn: Turn, *earlier: Message) -> Turn:
    return replace(turn, messages=(*earlier, Message("user", turn.text)))


EARLIER = (
    Message("system", "The user is in Berlin."),
    Message("user", "hello"),
    Message("assistant", "Hello. What can I do?"),
)
TURNS = {
    "bare": bare("what is on today"),
    "nothing typed": bare(""),
    "envelope": wrap(FRAME, bare("what is on today")),
    "document": wrap(FILE, bare("read this"), "A canary.\nIt sings."),
    "nested": wrap(FRAME, wrap(FILE, bare("read this"), "A canary.")),
    "earlier": with_messages(wrap(FRAME, bare("and tomorrow")), *EARLIER),
    "said twice": with_messages(
        bare("hello"), *EARLIER, Message("user", "hello"), Message("assistant", "hello")
    ),
}


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("api", names())
def test_all_of_a_request_that_the_workbench_builds_has_a_writer(
    tmp_path: Path, api: str, turn: Turn
) -> None:
    found = account_of(adapter(tmp_path, api), turn)
    assert found.dark == 0, [found.measured.text[s.start : s.end] for s in found.measured.dark_spans]
    assert found.double == 0
    assert found.owned == found.sent
    assert not any(bar.missing for bar in found.bars)
    assert all(bar.ours and bar.lane in LANES and not bar.registered for bar in found.bars)
    by_author: dict[str, int] = {}
    for region in turn.regions:
        by_author[OWN[region.author]] = by_author.get(OWN[region.author], 0) + region.end - region.start
    told = chars(found)
    assert told.pop("system") == len("You help.\nBe brief.")
    assert told.pop("tools") > len("create_eventnow")
    earlier = sum(len(message.content) for message in turn.messages[:-1])
    if earlier:
        by_author["history"] = earlier
    wire = told.pop("wire", 0)
    assert wire == (2 if earlier and api in ("anthropic", "gemini") else 0)
    assert told == by_author


@pytest.mark.parametrize("api", names())
def test_a_classifier_writes_its_routes_and_a_body_what_it_passes_on(tmp_path: Path, api: str) -> None:
    found = account_of(adapter(tmp_path, api, tools=None, classify=["calendar", "mail"]), bare("hello"))
    assert found.dark == 0
    assert set(chars(found)) == {"typed", "system", "classify"}
    tools = [
        {"type": "function", "name": "x", "function": {"name": "x"}, "functionDeclarations": [{"name": "x"}]}
    ]
    passed = account_of(adapter(tmp_path, api, tools=None, body={"tools": tools}), bare("hello"))
    assert passed.dark == 0
    assert set(chars(passed)) == {"typed", "system", "body"}


@pytest.mark.parametrize("api", names())
def test_what_has_no_writer_is_dark(tmp_path: Path, api: str) -> None:
    made = adapter(tmp_path, api, system=None)
    turn = bare("hello")
    body = json.loads(made.body_of(turn))
    said = next(body[key] for key in ("messages", "contents", "input") if key in body)
    said.append(
        {"role": "user", "parts": [{"text": "Late."}]}
        if api == "gemini"
        else {"role": "user", "content": "Late."}
    )
    found = requested(trial(json.dumps(body)), delivery(turn), describe(made, "model"))
    assert isinstance(found, Requested)
    assert found.dark == len("Late.")
    last = found.turns[-1] if found.turns[-1].role == "user" else found.turns[1]
    assert (last.sent, last.owned, last.dark) == (5, 0, 5)


def test_instructions_that_are_not_the_adapters_are_dark(tmp_path: Path) -> None:
    made = adapter(tmp_path, "openai-chat")
    sent = made.body_of(bare("hello")).decode().replace("Be brief.", "Be long.")
    found = requested(trial(sent), delivery(bare("hello")), describe(made, "model"))
    assert isinstance(found, Requested)
    assert found.dark == len("You help.\nBe long.")


def test_words_in_which_a_secret_was_masked_are_found_again(tmp_path: Path) -> None:
    key = "sk-proj-" + "a1B2c3D4" * 6
    turn = wrap(FRAME, bare(f"my key is {key} and that is that"))
    made = adapter(tmp_path, "openai-chat")
    sent = made.body_of(turn).decode().replace(key, "[secret]")
    found = requested(trial(sent), delivery(turn), describe(made, "model"))
    assert isinstance(found, Requested)
    assert found.dark == 0
    assert chars(found)["typed"] == len("my key is [secret] and that is that")


def test_words_that_an_option_puts_aside_are_missed(tmp_path: Path) -> None:
    made = adapter(tmp_path, "openai-chat", body={"messages": [{"role": "user", "content": "hello, you"}]})
    found = account_of(made, bare("hello"))
    assert (found.dark, found.double) == (0, 0)
    told = chars(found)
    assert (told["body"], told["typed"]) == (len("hello, you"), 0)
    assert {bar.lane: bar.missing for bar in found.bars if bar.missing} == {"typed": len("hello")}


def test_what_a_policy_took_away_is_not_missed(tmp_path: Path) -> None:
    made = adapter(tmp_path, "openai-chat", tools=None, classify=["calendar", "mail"])
    turn = wrap(FRAME, bare("what is on today"))
    sent = made.body_of(bare("what is on today")).decode()
    found = requested(trial(sent), delivery(turn, policy="strip"), describe(made, "model"))
    assert isinstance(found, Requested)
    assert (found.dark, chars(found)["typed"]) == (0, len("what is on today"))
    assert "envelope" not in chars(found)
    assert not any(bar.missing for bar in found.bars)


def test_one_message_after_the_other_the_request_grows(tmp_path: Path) -> None:
    found = account_of(adapter(tmp_path, "openai-chat"), TURNS["earlier"])
    labels = [(turn.label, turn.role) for turn in found.turns]
    assert labels == [
        ("messages[0]", "system"),
        ("messages[1]", "system"),
        ("messages[2]", "user"),
        ("messages[3]", "assistant"),
        ("messages[4]", "user"),
        ("tools", "schema"),
    ]
    assert found.turns[4].lanes == {"envelope": 31, "typed": len("and tomorrow")}
    total = 0
    for turn in found.turns:
        total += turn.sent
        assert turn.total == total
        assert turn.sent == turn.owned + turn.dark
        assert turn.owned == sum(turn.lanes.values())
    assert total == found.sent


# An app that builds.

BUILT = AdapterInfo("m", "model", '{"api":"openai-chat","build app:build":"1"}', wraps=True)
WORDS = st.text(st.sampled_from('ab \n"\\é\u4e2d\U0001f600\ud800'), min_size=1, max_size=12)


def body_of(api: str, texts: list[str], tools: list[str]) -> dict[str, Any]:
    """A body in a provider's format, by hand."""
    system, *said = texts
    if api == "gemini":
        return {
            "systemInstruction": {"parts": [{"text": system}]},
            "contents": [{"role": "user", "parts": [{"text": text}]} for text in said],
            "tools": [{"functionDeclarations": [{"name": "f", "description": text} for text in tools]}],
        }
    messages: list[dict[str, Any]] = [{"role": "user", "content": text} for text in said]
    if api == "anthropic":
        schemas = [{"name": "f", "description": text, "input_schema": {}} for text in tools]
        return {"system": system, "max_tokens": 9, "messages": messages, "tools": schemas}
    if api == "openai-responses":
        listed = [{"type": "function", "name": "f", "description": text} for text in tools]
        return {"instructions": system, "input": messages, "tools": listed}
    described = [{"type": "function", "function": {"name": "f", "description": text}} for text in tools]
    head = {"role": "system", "content": system}
    more: dict[str, Any] = {"options": {}} if api == "ollama" else {}
    return {"messages": [head, *messages], "tools": described, **more}


@pytest.mark.parametrize("api", names())
@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(WORDS, min_size=1, max_size=4),
    tools=st.lists(WORDS, max_size=2),
    more=st.lists(st.tuples(st.sampled_from("xyz"), WORDS | st.integers(0, 9)), max_size=4),
    keep=st.integers(0, 4),
)
def test_the_sum_is_exact_for_all_that_an_app_may_claim(
    api: str, texts: list[str], tools: list[str], more: list[tuple[str, str | int]], keep: int
) -> None:
    claimed = [Claimed("own", text) for text in texts[:keep]]
    claimed += [
        Claimed(lane, what if isinstance(what, str) else None, None if isinstance(what, str) else what)
        for lane, what in more
    ]
    sent = json.dumps(body_of(api, texts, tools), ensure_ascii=False)
    found = requested(trial(sent, Claims(tuple(claimed), ours=("tools",))), delivery(bare("")), BUILT)
    assert isinstance(found, Requested)
    assert found.owned + found.dark == found.sent
    assert found.sent >= sum(map(len, texts)) + sum(map(len, tools))
    assert sum(bar.chars for bar in found.bars) == found.owned
    assert sum(turn.sent for turn in found.turns) == found.sent
    assert sum(turn.owned for turn in found.turns) + found.measured.unplaced == found.owned
    if keep >= len(texts) and not more:
        assert found.dark == found.sent - sum(map(len, texts))


def built(claims: Claims | None, fingerprint: str = BUILT.fingerprint) -> Requested | NotMeasured:
    sent = json.dumps(body_of("openai-chat", ["You help.", "hello"], ["Says the time."]))
    return requested(trial(sent, claims), delivery(bare("hello")), replace(BUILT, fingerprint=fingerprint))


def test_no_claims_reported_none_made_and_claims_lost_are_three_things() -> None:
    unreported, lost, none = built(None), built(Claims(error="too much")), built(Claims())
    assert isinstance(unreported, NotMeasured)
    assert unreported.reason is Unmeasured.NOT_REPORTED
    assert isinstance(lost, NotMeasured)
    assert lost.reason is Unmeasured.FAILED
    assert "too much" in lost.said
    assert isinstance(none, Requested)
    assert none.owned == 0
    assert none.dark == none.sent == unreported.sent == lost.sent == len("You help.hellofSays the time.")


def test_what_the_workbench_adds_to_a_built_body_is_its_own() -> None:
    marks = '{"tools":"abc","build app:build":"1"}'
    claims = Claims((Claimed("rules", "You help."), Claimed("user_text", "hello")), ours=("model", "tools"))
    ours = built(claims, marks)
    assert isinstance(ours, Requested)
    assert (ours.dark, chars(ours)["tools"]) == (0, len("fSays the time."))
    assert {bar.lane: bar.ours for bar in ours.bars} == {"tools": True, "rules": False, "user_text": False}
    theirs = built(replace(claims, ours=("model",)), marks)
    assert isinstance(theirs, Requested)
    assert theirs.dark == len("fSays the time.")


def test_what_the_app_claims_stays_the_apps() -> None:
    claims = Claims((Claimed("schemas", "Says the time."),), ours=("tools",))
    found = built(claims, '{"tools":"abc"}')
    assert isinstance(found, Requested)
    assert found.double == 0
    assert chars(found) == {"schemas": len("Says the time."), "tools": 1}


REGISTRY = """
unit = "chars"
[[lane]]
name = "rules"
injector = "app.py"
budget = 4
priority = 0
trust = "owner"
[[lane]]
name = "memory"
budget = "session"
[[lane]]
name = "page"
budget = 3
unit = "bytes"
[[lane]]
name = "user_text"
budget = 9
unit = "tokens"
"""


def test_bars_hold_a_lane_against_its_budget() -> None:
    registry = parse_registry(Source("lanes.toml", REGISTRY))
    claims = Claims(
        (
            Claimed("rules", "You help."),
            Claimed("rules", "gone and away"),
            Claimed("page", "Says th"),
            Claimed("x", "f"),
        )
    )
    sent = json.dumps(
        body_of("openai-chat", ["You help.", "h\u00e9llo"], ["Says th\u00e9 time."]), ensure_ascii=False
    )
    claims = replace(
        claims, entries=(*claims.entries, Claimed("user_text", "h\u00e9llo"), Claimed("page", "\u00e9 time."))
    )
    found = requested(trial(sent, claims), delivery(bare("")), BUILT, registry)
    assert isinstance(found, Requested)
    bars = {bar.lane: bar for bar in found.bars}
    assert found.bars[0].lane == "page"  # the furthest over its budget
    page = bars["page"]
    assert (page.chars, page.size, page.budget, page.unit, page.over) == (14, 15, 3, Unit.BYTES, 12)
    rules = bars["rules"]
    assert (rules.chars, rules.budget, rules.over, rules.trust, rules.missing) == (9, 4, 5, Trust.OWNER, 13)
    words = bars["user_text"]
    assert (words.size, words.budget, words.over, words.registered) == (None, 9, None, True)
    assert (bars["x"].registered, bars["x"].budget, bars["x"].over) == (False, None, None)
    assert registry.lanes[1].budget is Bound.SESSION


# What has no account.


@pytest.mark.parametrize(
    ("made", "use", "reason"),
    [
        (Trial(0, Status.OK), "keyword", Unmeasured.NOT_A_MODEL),
        (trial('{"messages":[]}'), "http", Unmeasured.NOT_A_MODEL),
        (Trial(0, Status.ERROR), "model", Unmeasured.NOTHING_SENT),
        (trial("no JSON"), "model", Unmeasured.UNREADABLE),
        (trial('{"q": 1}'), "model", Unmeasured.UNREADABLE),
        (trial("[" * 20_000), "model", Unmeasured.UNREADABLE),
    ],
)
def test_what_cannot_be_measured_says_why(made: Trial, use: str, reason: Unmeasured) -> None:
    found = requested(made, delivery(bare("x")), AdapterInfo("m", use))
    assert isinstance(found, NotMeasured)
    assert found.reason is reason
    assert found.sent is None
    assert found.said


def test_a_recording_of_a_model_is_a_model(tmp_path: Path) -> None:
    made = adapter(tmp_path, "anthropic")
    info = describe(made, "model")
    told = json.dumps({"of": "model m", "recording": "1", "was": info.fingerprint})
    turn = TURNS["earlier"]
    sent = json.dumps(json.loads(made.body_of(turn)), sort_keys=True)  # as a recording spells it
    found = requested(trial(sent), delivery(turn), replace(info, use="recorded", fingerprint=told))
    assert isinstance(found, Requested)
    assert found.dark == 0
    other = requested(trial(sent), delivery(turn), AdapterInfo("m", "recorded", '{"of": "http m"}'))
    assert isinstance(other, NotMeasured)
    assert other.reason is Unmeasured.NOT_A_MODEL


# Over a cell.


def test_a_cell_tells_the_least_and_the_most_and_what_is_not_known() -> None:
    bodies = [json.dumps(body_of("openai-chat", ["You help.", text], [])) for text in ("hello", "hello, you")]
    claims = Claims((Claimed("rules", "You help."), Claimed("user", "hello")))
    trials = (
        trial(bodies[0], claims),
        trial(bodies[1], claims),
        replace(trial(bodies[1], claims), status=Status.MALFORMED),
        trial(bodies[0]),
        Trial(4, Status.TIMEOUT),
    )
    found = lanes_of(Cell(delivery(bare("hello")), trials), BUILT)
    assert found is not None
    assert (found.sent, found.dark, found.double) == (Extent(14, 19), Extent(0, 5), Extent(0, 0))
    assert (str(found.owned), str(found.dark), found.trials) == ("14", "0..5", 3)
    assert found.unmeasured == {Unmeasured.NOT_REPORTED: 1, Unmeasured.NOTHING_SENT: 1}
    assert found.worst.owned + found.worst.dark == found.worst.sent == 19
    assert lanes_of(Cell(delivery(bare("hello")), trials[3:]), BUILT) is None


def test_a_report_tells_the_worst_request_of_each_cell_of_a_model() -> None:
    bodies = [json.dumps(body_of("openai-chat", ["You help.", text], [])) for text in ("hello", "hello, you")]
    claims = Claims((Claimed("rules", "You help."), Claimed("user", "hello"), Claimed("again", "hello")))
    unreported, keyword = delivery(bare("b")), delivery(bare("c"))
    cells = (
        Cell(delivery(bare("a")), tuple(trial(body, claims) for body in bodies)),
        Cell(replace(unreported, key=replace(unreported.key, prompt="2")), (trial(bodies[0]),)),
        Cell(replace(keyword, key=replace(keyword.key, adapter="k")), (Trial(0, Status.OK),)),
    )
    run = Run("r", "", 0.0, {"m": BUILT, "k": AdapterInfo("k", "keyword")}, cells)
    told = {"sent": 19, "owned": 14, "dark": 5, "double": 5, "trials": 2, "dark_least": 0}
    assert lane_views(run) == {cells[0].key: told, cells[1].key: None}
    out = io.StringIO()
    write("json", run, (), out, Style(), lane_views(run))
    views = json.loads(out.getvalue())["cells"]
    assert [view.get("lanes", "absent") for view in views] == [told, None, "absent"]


def test_a_text_report_tells_what_nobody_owns_and_nothing_else() -> None:
    def told(*claims: Claimed) -> str:
        body = json.dumps(body_of("openai-chat", ["You help.", "hello\x1b[0m"], []))
        cells = tuple(
            Cell(
                replace(delivery(bare("a")), key=CellKey("s", prompt, "attach", "m")),
                (trial(body, Claims(claims)),),
            )
            for prompt in ("1", "2")
        )
        run = Run("r", "", 0.0, {"m": BUILT}, cells)
        out = io.StringIO()
        write("text", run, (), out, Style(), lane_views(run))
        return out.getvalue()

    whole = (Claimed("rules", "You help."), Claimed("user", "hello\x1b[0m"))
    assert "of a request" not in told(*whole)
    assert (
        "m: of 18 characters of a request 9 without an owner (dark), in s#1@attach, and 1 more cell\n"
        in told(whole[1])
    )
    assert "of a request 9 with two (double), in s#1@attach" in told(*whole, Claimed("again", "You help."))


def test_the_registry_is_the_nearest_above_the_workspace(tmp_path: Path) -> None:
    root = tmp_path / "app" / "work"
    root.mkdir(parents=True)
    (tmp_path / "lanes.toml").write_text(REGISTRY, encoding="utf-8")
    found = workspace_registry(root)
    assert found is not None
    assert [lane.name for lane in found.lanes] == ["rules", "memory", "page", "user_text"]
    (root / "lanes.toml").write_text("[[lane]\n", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"lanes\.toml"):
        workspace_registry(root)


def test_every_author_of_a_region_has_a_lane() -> None:
    assert set(OWN) == set(Author)
    assert set(OWN.values()) <= set(LANES)
