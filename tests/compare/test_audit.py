"""The hold audit: what the answers of an adapter show, and what they do not."""

from __future__ import annotations

from workbench.compare.audit import Audit, audit
from workbench.core.cell import AdapterInfo, Cell, CellKey, Delivery
from workbench.core.decision import Decision, Json, Outcome, ToolCall
from workbench.core.trial import Status, Trial
from workbench.core.turn import Attachment, Turn, bare

ROUTER = AdapterInfo("r", "python")


def cell_of(*decisions: Decision | None, turn: Turn | None = None, prompt: str = "1") -> Cell:
    """A cell with those answers; None is a trial that failed."""
    turn = turn or bare("mail ann at nine")
    trials = tuple(
        Trial(number, Status.ERROR, error="no") if one is None else Trial(number, Status.OK, one)
        for number, one in enumerate(decisions)
    )
    return Cell(Delivery(CellKey("s", prompt, "bare", "r"), turn.typed, turn), trials)


def fire(arguments: Json = None, tool: str = "mail") -> Decision:
    return Decision(Outcome.FIRE, (ToolCall(tool, arguments),))


def only(*cells: Cell, info: AdapterInfo = ROUTER) -> Audit:
    (found,) = audit(cells, {"r": info})
    return found


PASS = Decision(Outcome.PASS)
HOLD = Decision(Outcome.HOLD, (ToolCall("mail"),))


class TestHolding:
    def test_a_router_that_fires_and_never_holds(self) -> None:
        found = only(cell_of(fire(), PASS))
        assert (found.answers, found.fired, found.held, found.never_held) == (2, 1, 0, True)

    def test_one_hold_is_enough(self) -> None:
        assert not only(cell_of(fire()), cell_of(HOLD, prompt="2")).never_held

    def test_where_nothing_fired_there_was_nothing_to_hold(self) -> None:
        assert not only(cell_of(PASS)).never_held

    def test_a_failure_says_nothing(self) -> None:
        found = only(cell_of(None, None))
        assert (found.answers, found.failed, found.never_held) == (0, 2, False)

    def test_an_extractor_and_a_model_have_no_hold_to_lack(self) -> None:
        for info in (AdapterInfo("r", "python", decides=False), AdapterInfo("r", "model", router=False)):
            assert not only(cell_of(fire()), info=info).never_held

    def test_an_adapter_without_a_cell_is_there_and_empty(self) -> None:
        assert only() == Audit("r", True, True)


class TestArguments:
    def test_three_kinds_of_none(self) -> None:
        (tool,) = only(cell_of(fire(None), fire({}), fire({"to": "ann"}))).tools
        assert (tool.fired, tool.unreported, tool.empty, tool.guesses) == (3, 1, 1, ())

    def test_a_value_that_no_prompt_names_is_a_guess(self) -> None:
        (tool,) = only(cell_of(fire({"to": "Ann", "at": "nine", "cc": "team@corp.example", "n": 7}))).tools
        assert [(guess.path, guess.value) for guess in tool.guesses] == [
            ("cc", "team@corp.example"),
            ("n", "7"),
        ]

    def test_a_value_out_of_a_file_is_none(self) -> None:
        turn = Turn("mail it", "mail it", (), attachments=(Attachment("a", "/a", "to bob please"),))
        (tool,) = only(cell_of(fire({"to": "bob"}), turn=turn)).tools
        assert tool.guesses == ()

    def test_a_guess_stands_once_however_often_it_came(self) -> None:
        many = [cell_of(fire({"day": "today"}), fire({"day": "today"}), prompt=str(n)) for n in range(3)]
        (tool,) = only(*many).tools
        assert (tool.fired, len(tool.guesses), tool.guesses[0].where.prompt) == (6, 1, "0")

    def test_what_a_hold_declined_is_not_fired(self) -> None:
        (tool,) = only(cell_of(HOLD)).tools
        assert (tool.fired, tool.held) == (0, 1)

    def test_a_value_however_deep(self) -> None:
        deep: Json = "sly"
        for _ in range(5000):
            deep = [deep]
        (tool,) = only(cell_of(fire({"a": deep}))).tools
        assert [guess.value for guess in tool.guesses] == ["sly"]
