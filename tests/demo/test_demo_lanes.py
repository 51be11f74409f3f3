"""The demo's gateway before the ledger: every character has an owner but for the faults that are planted."""

from __future__ import annotations

import asyncio
import json
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench import ledger
from workbench.cli.bench import Bench
from workbench.cli.demo_requests import SOURCE, counted_sentence, ledger_of_demo, write_requests
from workbench.cli.telling import run_step
from workbench.core.cell import CellKey, Run
from workbench.core.errors import WorkbenchError
from workbench.core.finding import Severity
from workbench.demo import assembler, documents, gateway, table, talk
from workbench.demo.walk import STEPS
from workbench.files.source import read_source
from workbench.files.workspace import load_workspace, packaged_root
from workbench.lanes.check.checking import check_sheet
from workbench.lanes.fault import LaneKind
from workbench.lanes.ledger.accounting import Ledger, Question, account_for
from workbench.lanes.ledger.ghosts import Why
from workbench.lanes.ledger.mentions import names_in
from workbench.lanes.registry import load_registry
from workbench.lanes.requested import Requested, requested
from workbench.lanes.sheet import read_sheet
from workbench.store.store import Store

REGISTRY = SOURCE / "lanes.toml"
PAGE = str(packaged_root() / "scenarios" / "canary.txt")
SECTION = "\n## Connected\n- google-calendar\n- gmail\n- browser\n- crm\n"
LATE = '        body["messages"][0]["content"] += SCOPE\n'
AGAIN = '    ledger.claim("connections", section)\n'
STANZA = '[[lane]]\nname = "rolling_summary"'


@pytest.fixture(autouse=True)
def _steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(gateway.LOG_VARIABLE, raising=False)
    yield
    gateway.STEPS.clear()
    assert gateway.HOOKS == []


def kinds(found: Ledger) -> set[tuple[str, str | None]]:
    """What is wrong, and with which lane."""
    return {(fault.kind.value, fault.lane) for fault in found.faults}


def ledger_in(folder: Path, registry: Path = REGISTRY) -> Ledger:
    write_requests(folder)
    mentioned = names_in([SOURCE]).__contains__
    return account_for(Question([folder], registry=load_registry(registry), mentioned=mentioned))


def without(monkeypatch: pytest.MonkeyPatch, module: types.ModuleType, line: str) -> types.ModuleType:
    """A module of the demo as it would be without one line."""
    assert module.__file__ is not None
    source = Path(module.__file__).read_text("utf-8")
    assert source.count(line) == 1
    indent = line[: len(line) - len(line.lstrip())]
    made = types.ModuleType(module.__name__)
    exec(compile(source.replace(line, f"{indent}pass\n"), module.__file__, "exec"), made.__dict__)
    return made


def test_all_three_faults_are_found_and_nothing_else(tmp_path: Path) -> None:
    found = ledger_in(tmp_path)
    assert kinds(found) == {("dark", None), ("double", "connections"), ("ghost", "rolling_summary")}
    assert [row.dark for row in found.rows] == [0, len(gateway.SCOPE), 0]
    assert [row.double for row in found.rows] == [len(SECTION)] * 3
    assert [(ghost.lane.name, ghost.why) for ghost in found.ghosts] == [
        ("rolling_summary", Why.NEVER_PRODUCED)
    ]
    assert all(row.owned + row.dark == row.sent and not row.missing for row in found.rows)
    for fault in found.faults:
        assert fault.severity is (Severity.WARNING if fault.kind is LaneKind.GHOST else Severity.ERROR)


def test_each_fault_is_marked_where_it_is_planted() -> None:
    for file, line in (("gateway.py", LATE), ("assembler.py", AGAIN), ("lanes.toml", STANZA)):
        above = (SOURCE / file).read_text("utf-8").partition(line)[0]
        assert above.rstrip("\n").rpartition("\n")[2].strip().startswith("# The bug: "), file


def test_without_the_late_append_nothing_is_dark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "gateway", without(monkeypatch, gateway, LATE))
    found = ledger_in(tmp_path)
    assert kinds(found) == {("double", "connections"), ("ghost", "rolling_summary")}
    assert {row.dark for row in found.rows} == {0}


def test_without_the_second_claim_nothing_is_double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "assembler", without(monkeypatch, assembler, AGAIN))
    found = ledger_in(tmp_path)
    assert {row.double for row in found.rows} == {0}
    # Its stanza is then a lane that nothing was seen of, as its name still stands in the registry.
    assert {kind for kind, _ in kinds(found)} == {"dark", "ghost"}


def test_without_the_stanza_there_is_no_ghost(tmp_path: Path) -> None:
    whole = REGISTRY.read_text("utf-8")
    assert whole.count(STANZA) == 1 and "[[lane]]" not in whole.split(STANZA)[1]
    registry = tmp_path / "lanes.toml"
    registry.write_text(whole.split(STANZA)[0], "utf-8")
    found = ledger_in(tmp_path / "sent", registry)
    assert kinds(found) == {("dark", None), ("double", "connections")}
    assert found.ghosts == []


@contextmanager
def kept() -> Iterator[list[dict[str, Any]]]:
    """The receipts of what the gateway sends meanwhile; no file gets them."""
    receipts: list[dict[str, Any]] = []
    ledger.configure(to=receipts.append)
    gateway.HOOKS.append(lambda body: ledger.audit(body, talk.URL))
    try:
        yield receipts
    finally:
        gateway.HOOKS.clear()
        ledger.configure()


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    lambda text: text == text.strip()
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=words, page=st.none() | words, quoted=st.just("") | words, channel=st.sampled_from(["", "c"]))
def test_of_any_message_just_the_late_append_is_dark(
    tmp_path: Path, message: str, page: str | None, quoted: str, channel: str
) -> None:
    files = []
    if page is not None:
        (tmp_path / "page.txt").write_text(page, "utf-8", newline="")
        files = [str(tmp_path / "page.txt")]
    with kept() as receipts:
        gateway.handle(message, files, channel, "ana", quoted, "t")
    [receipt] = receipts
    assert receipt["turn"] == "t" and receipt["missing"] == 0
    assert receipt["owned"] + receipt["dark"] == receipt["sent"]
    assert receipt["dark"] == (len(gateway.SCOPE) if files else 0)
    assert receipt["double"] == len(SECTION)


def test_the_request_of_a_message_is_what_is_sent_for_it() -> None:
    sent = talk.talk(PAGE)
    assert sent[1].body == gateway.request(talk.QUESTION, [PAGE])
    assert [one.receipt["turn"] for one in sent] == ["t1", talk.FILE_TURN, "t3"]


def test_it_remembers_no_more_than_its_budget() -> None:
    for message in ("", *assembler.MEMORIES, " ".join(assembler.MEMORIES)):
        recalled = assembler._recalled(message)
        assert len(recalled) <= assembler.MEMORY_BUDGET
        assert (recalled.count("\n") > 2) == bool(message)
    whole = assembler._recalled(" ".join(assembler.MEMORIES))
    assert not all(memory in whole for memory in assembler.MEMORIES)


def test_every_tool_of_the_table_is_offered() -> None:
    names = [tool["function"]["name"].replace("__", "::") for tool in assembler.assemble("hello")["tools"]]
    assert names == [row.tool for row in table.KEYWORDS]


def test_the_registry_has_no_fault_but_the_ghost_and_its_budgets_hold() -> None:
    assert check_sheet(read_sheet(read_source(REGISTRY)), SOURCE) == []
    registry = load_registry(REGISTRY)
    memory = registry.lane("memory")
    assert memory is not None and memory.budget == assembler.MEMORY_BUDGET
    named = names_in([SOURCE])
    assert [lane.name for lane in registry.lanes if lane.name not in named] == ["rolling_summary"]


def test_a_file_without_words_gets_a_sentence_that_the_page_pays_for() -> None:
    bodies: list[dict[str, Any]] = []
    with kept() as receipts:
        gateway.HOOKS.append(bodies.append)
        gateway.handle("", [PAGE])
    assert receipts[0]["dark"] == len(gateway.SCOPE)
    assert documents.CARRIER in bodies[0]["messages"][1]["content"]


class TestTheStepOfTheWalk:
    step = next(step for step in STEPS if step.counted)

    def test_its_numbers_are_those_of_the_ledger(self) -> None:
        told = counted_sentence(self.step, ledger_of_demo())
        [receipt] = [one.receipt for one in talk.talk(PAGE) if one.receipt["turn"] == talk.FILE_TURN]
        assert f"{receipt['sent']:,} characters {receipt['dark']:,} are dark" in told
        assert f"connections claims {receipt['double']:,} " in told
        assert "rolling_summary is declared" in told

    def test_they_follow_the_gateway(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gateway, "SCOPE", "x" * 4321)
        assert " 4,321 are dark" in counted_sentence(self.step, ledger_of_demo())

    def test_no_number_stands_in_the_walk_itself(self) -> None:
        assert not any(char.isdigit() for char in self.step.counted + "".join(self.step.caption))

    def test_it_stands_on_the_request_that_it_counts(self) -> None:
        run = recorded_run()
        cell = run.cell(CellKey(*self.step.at))
        assert cell is not None and cell.trials
        live = talk.talk(PAGE)[1].receipt
        for trial in cell.trials:
            found = requested(trial, cell.delivery, run.adapters[self.step.at.adapter])
            assert isinstance(found, Requested)
            assert (found.sent, found.dark, found.double) == (live["sent"], live["dark"], live["double"])


class TestTheRecordingThatShips:
    """`python tests/real/record_gateway.py` takes it anew."""

    @pytest.mark.parametrize("arm", ["bare", "attach"])
    def test_what_was_sent_is_what_the_gateway_makes_today(self, arm: str) -> None:
        run = recorded_run()
        cell = run.cell(CellKey("lanes", "question", arm, "gateway-recorded"))
        assert cell is not None and len(cell.trials) == 6
        files = [PAGE] if arm == "attach" else []
        with kept() as receipts:
            gateway.handle(talk.QUESTION, files)
        for trial in cell.trials:
            assert trial.exchange is not None and trial.exchange.claims is not None
            sent = json.loads(trial.exchange.sent)
            made = gateway.request(talk.QUESTION, files)
            assert {key: sent[key] for key in ("messages", "tools")} == {
                key: made[key] for key in ("messages", "tools")
            }
            claims = [ledger.Claim(one.lane, one.text, one.chars) for one in trial.exchange.claims.entries]
            account = ledger.account(ledger.readable(sent), claims)
            [receipt] = receipts
            assert [getattr(account, name) for name in ("sent", "dark", "double")] == [
                receipt[name] for name in ("sent", "dark", "double")
            ]
            assert {claim.lane for claim in claims} == {one["name"] for one in receipt["lanes"]}

    def test_it_says_what_made_it(self) -> None:
        file = packaged_root() / "scenarios" / "recordings" / "smollm-gateway.jsonl"
        head = json.loads(file.read_text("ascii").split("\n", 1)[0])
        assert head["note"]["by"] == "tests/real/record_gateway.py"
        assert list(head["adapters"]) == ["gateway"]


@cache
def recorded_run() -> Run:
    """The scenario that ships, played back."""
    step = TestTheStepOfTheWalk.step
    bench = Bench(load_workspace(packaged_root(), packaged=True), packaged_root())
    with Store.temporary() as store:
        return asyncio.run(run_step(bench, step, store))


class TestFiles:
    def test_the_requests_and_the_receipts_are_written(self, tmp_path: Path) -> None:
        write_requests(tmp_path / "sent")
        lines = [
            [json.loads(line) for line in (tmp_path / "sent" / name).read_text("utf-8").splitlines()]
            for name in ("requests.jsonl", "receipts.jsonl")
        ]
        assert lines[0] == [one.body for one in talk.talk(PAGE)]
        assert [receipt["turn"] for receipt in lines[1]] == ["t1", "t2", "t3"]
        assert len(list((tmp_path / "sent").iterdir())) == 2

    def test_what_is_there_stays(self, tmp_path: Path) -> None:
        (tmp_path / "requests.jsonl").write_text("mine", "utf-8")
        with pytest.raises(WorkbenchError, match="there is one already"):
            write_requests(tmp_path)
        assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["mine"]

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", "utf-8")
        for folder in (tmp_path / "file", tmp_path / "no" / "such"):
            with pytest.raises(WorkbenchError, match="cannot be written"):
                write_requests(folder)
