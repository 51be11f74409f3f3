"""A policy before a router: less is handed on, and what the router says is put back into its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from replay_parts import ENVELOPES, Scripted, attach, info, plan_of, prompt, run_plan, scenario

from workbench.adapters.protocol import Answer, Place, Request
from workbench.adapters.python import PythonAdapter
from workbench.compare.findings import find
from workbench.core.cell import Cell, CellKey, Run
from workbench.core.decision import Decision, Match, Outcome, ToolCall, Window, WindowSource
from workbench.core.errors import Mark, UsageError, WorkbenchError
from workbench.core.finding import Kind
from workbench.core.trial import Status
from workbench.core.turn import Author
from workbench.replay.engine import replay
from workbench.replay.executor import LocalExecutor
from workbench.replay.plan import Plan, describe
from workbench.replay.policies import POLICIES, policy_named
from workbench.replay.policing import taken_from
from workbench.store.newest import NewestAnswers
from workbench.store.store import Store


async def reads_all(request: Request) -> Answer:
    """Fires on the word `send`, wherever it stands, and says what it read and where the word was."""
    text = request.turn.text
    at = text.find("send")
    calls = (ToolCall("mail::send"),) if at >= 0 else ()
    found = (Match("send", "send", at, at + 4),) if at >= 0 else ()
    outcome = Outcome.FIRE if calls else Outcome.PASS
    window = Window(text, WindowSource.REPORTED)
    return Answer(Status.OK, Decision(outcome, calls, windows=(window,), matches=found))


async def says_nothing(request: Request) -> Answer:
    return Answer(Status.OK, Decision(Outcome.PASS))


def cell_of(run: Run, arm: str) -> Cell:
    (cell,) = [cell for cell in run.cells if cell.key.arm == arm]
    return cell


def plan_with(policy: str | None, own: str | None = None) -> Plan:
    """A plan with what the command line asks for, and what the prompt has of its own."""
    one = prompt("send it", policy=own)
    return plan_of(scenario(one), envelopes=["channel", "reply"], repeat=1, policy=policy)


class TestACall:
    async def test_the_router_gets_less_and_the_turn_delivered_stays(self, store: Store) -> None:
        adapter = Scripted(reads_all)
        run, _ = await run_plan(plan_with("typed-words"), store, adapter)
        assert {request.turn.text for request in adapter.requests} == {"send it"}
        cell = cell_of(run, "channel")
        assert cell.delivery.turn.text == '<message from="u1">\nsend it\n</message>'
        assert cell.delivery.policy == "typed-words"
        assert store.load(run.id) == run

    async def test_windows_and_matches_are_given_in_the_turn_delivered(self, store: Store) -> None:
        run, _ = await run_plan(plan_with("typed-words"), store, Scripted(reads_all))
        decision = cell_of(run, "channel").decision
        assert decision is not None and decision.window is not None and decision.matches is not None
        assert decision.window.spans == ((20, 27),)
        assert (decision.matches[0].start, decision.matches[0].end) == (20, 24)
        assert decision.handed == "send it"
        assert not [f for f in find(run) if f.kind in (Kind.LEAK, Kind.MISS, Kind.DRIFT)]

    async def test_what_a_policy_leaves_of_the_frame_is_still_a_leak(self, store: Store) -> None:
        run, _ = await run_plan(plan_with("strip-tags"), store, Scripted(reads_all))
        leaks = {finding.arm for finding in find(run) if finding.kind is Kind.LEAK}
        assert leaks == {"reply"}  # the quotation stays, the tag does not

    async def test_what_a_policy_takes_from_the_user_is_a_miss(self, store: Store) -> None:
        one = scenario(prompt("send it\n\nto the crew"))
        plan = plan_of(one, envelopes=[], repeat=1, policy="last-paragraph")
        run, _ = await run_plan(plan, store, Scripted(reads_all))
        assert [finding.evidence["lacking"] for finding in find(run) if finding.kind is Kind.MISS] == [
            ["send it"]
        ]

    async def test_a_window_that_is_not_reported_stays_so(self, store: Store) -> None:
        run, _ = await run_plan(plan_with("typed-words"), store, Scripted(says_nothing))
        decision = cell_of(run, "channel").decision
        assert decision is not None
        assert (decision.windows, decision.matches, decision.handed) == (None, None, "send it")

    async def test_a_document_is_not_handed_on_beside_the_text(self, store: Store) -> None:
        adapter = Scripted(reads_all)
        one = scenario(prompt("how long?", attach=(attach(),)))
        plan = plan_of(one, envelopes=["attached"], repeat=1, policy="unwrap")
        run, _ = await run_plan(plan, store, adapter)
        assert {request.turn.attachments for request in adapter.requests} == {()}
        assert cell_of(run, "attached").delivery.turn.attachments

    async def test_a_prompts_own_policy_is_its_own(self, store: Store) -> None:
        adapter = Scripted(reads_all)
        one = scenario(prompt("one", "1", policy="typed-words"), prompt("two", "2"))
        run, _ = await run_plan(plan_of(one, envelopes=["reply"], repeat=1), store, adapter)
        assert {request.turn.text for request in adapter.requests} == {"one", "two", "> earlier\n\ntwo"}
        assert [cell.delivery.policy for cell in run.cells] == ["typed-words", "typed-words", None, None]


class TestThePlan:
    def test_its_hash_knows_the_policy(self) -> None:
        hashes = [plan_with(policy).hash for policy in (None, *POLICIES, "first-last:40", "first-last:41")]
        assert len(set(hashes)) == len(hashes)
        assert plan_with("none").hash == plan_with(None).hash
        assert plan_with("none", own="unwrap").hash == plan_with(None).hash

    def test_its_hash_knows_the_envelopes_that_come_off(self) -> None:
        other = {**ENVELOPES, "reply": replace(ENVELOPES["reply"], template="> later\n\n{text}")}
        plans = [plan_of(known=known, envelopes=["channel"], policy="unwrap") for known in (ENVELOPES, other)]
        assert plans[0].deliveries == plans[1].deliveries
        assert plans[0].hash != plans[1].hash

    def test_the_command_line_comes_before_the_file(self) -> None:
        plan = plan_with("unwrap", own="typed-words")
        assert {delivery.policy for delivery in plan.deliveries} == {"unwrap"}
        assert set(plan.policies) == {"unwrap"}

    def test_a_part_of_a_plan_keeps_the_policies_of_that_part(self) -> None:
        one = scenario(prompt("one", "1", policy="unwrap"), prompt("two", "2", policy="strip-tags"))
        plan = plan_of(one, envelopes=[])
        part = plan.only([CellKey("s", "2", "bare", "router")])
        assert set(part.policies) == {"strip-tags"}

    def test_an_unknown_name_is_told_with_the_nearest(self) -> None:
        with pytest.raises(UsageError, match='unknown policy "typed-word"') as caught:
            plan_with("typed-word")
        assert caught.value.problems[0].hint == 'did you mean "typed-words"?'

    def test_the_file_is_told_its_place(self) -> None:
        marks = {"prompts[0].policy": Mark("s.yaml", 7, 13)}
        one = scenario(prompt(policy="nothing-like-it"), marks=marks)
        with pytest.raises(WorkbenchError) as caught:
            plan_of(one)
        assert caught.value.problems[0].mark == Mark("s.yaml", 7, 13)

    @pytest.mark.parametrize("spelled", ["python:os.system", "python:", "python:a b:c", "first-last:x"])
    def test_what_names_no_function_is_an_error(self, spelled: str) -> None:
        with pytest.raises(WorkbenchError):
            policy_named(spelled, {})

    def test_an_app_that_joins_the_turn_itself_can_have_none(self) -> None:
        adapters = {"gateway": info("gateway", wraps=True)}
        with pytest.raises(UsageError, match="no policy can stand before gateway"):
            plan_of(adapters=adapters, policy="typed-words")
        assert plan_of(adapters=adapters, policy="none").deliveries


class TestAFunction:
    """A callable of the user's, run by the worker under the app's interpreter."""

    def adapters(self, tmp_path: Path, body: str) -> tuple[Scripted, PythonAdapter]:
        (tmp_path / "mine.py").write_text(body, "utf-8")
        policy = PythonAdapter("python:mine:cut", Place(tmp_path), target="mine:cut", returns="window")
        return Scripted(reads_all), policy

    async def run(self, store: Store, tmp_path: Path, body: str) -> tuple[Run, Scripted]:
        router, policy = self.adapters(tmp_path, body)
        plan = replace(plan_with("python:mine:cut"), adapters={"router": describe(router, "python")})
        async with LocalExecutor({"router": router, policy.name: policy}) as executor:
            return await replay(plan, executor, store), router

    async def test_what_it_returns_is_handed_on(self, store: Store, tmp_path: Path) -> None:
        body = "def cut(text):\n    return next(l for l in text.splitlines() if l and l[0] not in '<>')\n"
        run, router = await self.run(store, tmp_path, body)
        assert {request.turn.text for request in router.requests} == {"send it"}
        assert not [f for f in find(run) if f.kind is not Kind.VACUOUS]

    async def test_where_it_fails_the_router_is_asked_nothing(self, store: Store, tmp_path: Path) -> None:
        run, router = await self.run(store, tmp_path, "def cut(text):\n    raise ValueError('no')\n")
        assert router.requests == []
        (trial,) = cell_of(run, "channel").trials
        assert trial.status is Status.ERROR
        assert trial.error is not None and trial.error.startswith("the policy python:mine:cut: ")
        assert "ValueError" in trial.error

    async def test_what_is_no_text_is_no_answer(self, store: Store, tmp_path: Path) -> None:
        run, router = await self.run(store, tmp_path, "def cut(text):\n    return 7\n")
        assert router.requests == []
        assert not cell_of(run, "bare").ok


class TestTakenFrom:
    def test_a_cut_keeps_its_authors(self) -> None:
        turn = plan_with(None).deliveries[1].turn
        made = taken_from(turn, "send it\n</message>")
        assert [region.author for region in made.turn.regions] == [Author.USER, Author.TRANSPORT]
        assert made.back(0, 7) == ((20, 27),)

    def test_words_of_its_own_are_the_apps(self) -> None:
        turn = plan_with(None).deliveries[1].turn
        made = taken_from(turn, "QUESTION: send it")
        assert [region.author for region in made.turn.regions] == [Author.APP, Author.USER]
        assert made.back(0, 17) is None

    def test_nothing_is_nothing(self) -> None:
        assert taken_from(plan_with(None).deliveries[1].turn, "").turn.text == ""


async def test_a_run_with_a_policy_is_not_the_newest_answer(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        plain = replace(plan_with(None), arguments={})
        first, _ = await run_plan(plain, store, Scripted(reads_all))
        tried = replace(plan_with("typed-words"), arguments={"policy": "typed-words"})
        await run_plan(tried, store, Scripted(says_nothing))
    newest = NewestAnswers(tmp_path)
    assert set(newest.read("s").runs.values()) == {first.id}
    assert set(newest.tally("s").runs.values()) == {first.id}


def test_every_policy_of_the_list_has_a_name_and_says_what_it_does() -> None:
    for name in POLICIES:
        policy = policy_named(name, ENVELOPES)
        assert policy is not None and policy.about and policy.hand is not None


def test_an_answer_through_a_policy_is_none_without_it() -> None:
    plain, through = plan_with(None).deliveries[0], plan_with("typed-words").deliveries[0]
    assert plain.sends_as(plain)
    assert plain.turn == through.turn
    assert not plain.sends_as(through)
