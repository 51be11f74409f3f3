"""Which cells a run has, in which order they are tried, and what is wrong with what was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest
from replay_parts import ENVELOPES, FILES, Scripted, attach, info, plan_of, prompt, read, scenario

from workbench.core.envelope import Envelope
from workbench.core.errors import Mark, Problem, UsageError, WorkbenchError
from workbench.core.scenario import Attach, Expectation
from workbench.core.turn import Attachment
from workbench.replay.choice import Choice
from workbench.replay.plan import Plan, adapters_of, describe, make_plan

TWO = {"first": info("first"), "second": info("second")}


def adapters_in(plan: Plan) -> list[str]:
    return list(dict.fromkeys(delivery.key.adapter for delivery in plan.deliveries))


def problems_of(*arguments: object, **keywords: object) -> tuple[Problem, ...]:
    with pytest.raises(WorkbenchError) as caught:
        plan_of(*arguments, **keywords)  # type: ignore[arg-type]
    return caught.value.problems


def test_the_command_line_before_the_file_before_the_workspace() -> None:
    assert adapters_in(plan_of(adapters=TWO)) == ["first", "second"]
    listed = scenario(adapters=("second",), envelopes=("reply",))
    plan = plan_of(listed, adapters=TWO)
    assert adapters_in(plan) == ["second"]
    assert list(plan.adapters) == ["second"]
    assert {d.key.arm for d in plan.deliveries} == {"bare", "reply"}
    plan = plan_of(listed, adapters={**TWO, "third": info("third")}, envelopes=["channel"])
    assert {d.key.arm for d in plan.deliveries} == {"bare", "channel"}
    asked = plan_of(listed, adapters=TWO, settings={"first": 1, "second": 2})
    assert asked.settings == {"second": 2}


def test_adapter_and_envelope_replace_the_lists() -> None:
    listed = scenario(adapters=("second",), envelopes=("reply",))
    plan = make_plan([listed], ENVELOPES, TWO, read, Choice(adapters=["first"], envelopes=["channel"]))
    assert [(d.key.adapter, d.key.arm) for d in plan.deliveries] == [("first", "bare"), ("first", "channel")]


def test_a_name_twice_is_one_cell() -> None:
    plan = make_plan(
        [scenario()], ENVELOPES, TWO, read, Choice(["first", "first"], ["reply", "channel", "reply"])
    )
    assert [d.key.arm for d in plan.deliveries] == ["bare", "reply", "channel"]


def test_only_the_adapters_in_use_need_building() -> None:
    one, two = scenario(adapters=("second",)), scenario(name="t", file="t.yaml")
    names = ["first", "second", "third"]
    assert adapters_of([one], names, Choice()) == ("second",)
    assert adapters_of([one, two], names, Choice()) == ("first", "second", "third")
    assert adapters_of([one, two], names, Choice(adapters=["third", "first"])) == ("first", "third")
    with pytest.raises(UsageError, match=r'unknown adapter "secnd".*"second"'):
        adapters_of([one], names, Choice(adapters=["secnd"]))


def test_an_unknown_name_of_a_file_is_shown_there() -> None:
    marks = {"adapters[1]": Mark("s.yaml", 3, 20), "envelopes[0]": Mark("s.yaml", 4, 13)}
    made = scenario(adapters=("first", "secnd"), envelopes=("channl(reply)",), marks=marks)
    adapter, envelope = problems_of(made, adapters=TWO)
    assert str(adapter) == 's.yaml:3:20: unknown adapter "secnd" (did you mean "second"?)'
    assert str(envelope) == 's.yaml:4:13: unknown envelope "channl" (did you mean "channel"?)'


def test_an_unknown_name_of_the_command_line_is_told_once() -> None:
    with pytest.raises(UsageError) as caught:
        make_plan(
            [scenario(), scenario(name="t", file="t.yaml")],
            ENVELOPES,
            TWO,
            read,
            Choice(["firts"], ["nothing-like-it"]),
        )
    adapter, envelope = caught.value.problems
    assert str(adapter) == 'unknown adapter "firts" (did you mean "first"?)'
    assert str(envelope) == ('unknown envelope "nothing-like-it" (known here: channel, reply, attached)')


@pytest.mark.parametrize("name", ["bare", "attach", "paste", "substitute", "channel(", "channel(paste)", ""])
def test_what_is_no_envelope_is_said_to_be_none(name: str) -> None:
    (problem,) = problems_of(scenario(), envelopes=[name])
    assert "no envelope" in problem.message


def test_prompts_by_label() -> None:
    made = scenario(prompt(label="1"), prompt(label="two", line=7), prompt(label="3", line=9))
    plan = plan_of(made, prompts={"s": {"3", "1"}}, envelopes=[])
    assert [d.key.prompt for d in plan.deliveries] == ["1", "3"]
    assert plan.whole == frozenset()
    assert plan_of(made, prompts={"s": {"1", "two", "3"}}).whole == {"s"}
    assert plan_of(made).whole == {"s"}
    (problem,) = problems_of(made, prompts={"s": {"twoo"}})
    assert str(problem) == 'unknown prompt of s "twoo" (did you mean "two"?)'


def test_a_file_that_no_arm_takes_along_is_an_error() -> None:
    made = scenario(prompt(label="canary", attach=(attach(),)), envelopes=("channel",))
    both = {**TWO, "app": info("app", wraps=True)}
    (problem,) = problems_of(made, adapters=both)
    assert str(problem) == (
        's.yaml:9:13: prompt "canary" of s attaches a file, and no arm takes it to first, second: of the'
        " envelopes chosen (channel), none carries a document (with a {document} slot: attached; name one in"
        " `envelopes` or with --envelope)"
    )
    plain = {name: ENVELOPES[name] for name in ("channel", "reply")}
    (problem,) = problems_of(scenario(prompt(attach=(attach(),))), known=plain)
    assert "no envelope of this workspace has a {document} slot" in str(problem)


def test_an_arm_of_its_own_takes_a_file_along_too() -> None:
    app = {"app": info("app", wraps=True)}
    with_file = prompt(attach=(attach(),))
    assert len(plan_of(scenario(with_file, envelopes=()), adapters=app).deliveries) == 2
    pasted = replace(with_file, paste=attach("b.txt"))
    assert [d.key.arm for d in plan_of(scenario(pasted, envelopes=())).deliveries] == ["bare", "paste"]
    substituted = replace(with_file, substitute="Summarize it.")
    assert len(problems_of(scenario(substituted, envelopes=()))) == 1


def test_files_that_cannot_be_read_are_all_told() -> None:
    made = scenario(
        prompt(label="1", attach=(attach("no.txt", 6),)),
        prompt(label="2", attach=(attach(),)),
        prompt(label="3", paste=attach("none.txt", 8)),
    )
    assert [str(p) for p in problems_of(made)] == [
        "s.yaml:6:13: there is no no.txt",
        "s.yaml:8:13: there is no none.txt",
    ]


def test_a_plain_reader_may_raise_what_the_system_raises() -> None:
    def broken(file: Attach) -> Attachment:
        raise PermissionError(13, "Permission denied", file.path)

    with pytest.raises(WorkbenchError, match=r's\.yaml:9:13: "a\.txt" cannot be read: .*Permission denied'):
        make_plan([scenario(prompt(attach=(attach(),)))], ENVELOPES, TWO, broken)


def test_each_file_is_read_once() -> None:
    asked = Counter[str]()

    def counting(file: Attach) -> Attachment:
        asked[file.path] += 1
        return read(file)

    file = attach()
    prompts = [prompt(label=str(number), attach=(file,), paste=file) for number in range(4)]
    make_plan([scenario(*prompts)], ENVELOPES, TWO, counting)
    assert asked == {"/w/a.txt": 1}


def test_names_that_would_clash() -> None:
    twice = [scenario(file="a.yaml"), scenario(file="b.yaml", marks={"scenario": Mark("b.yaml", 2, 11)})]
    (problem,) = problems_of(*twice)
    assert str(problem) == 'b.yaml:2:11: another scenario is called "s" too: a.yaml'
    (problem,) = problems_of(scenario(prompt(label="2"), prompt("other", label="2", line=8)))
    assert str(problem) == 's.yaml:8:5: another prompt is called "2" too'
    same = scenario()
    assert plan_of(same, same).deliveries == plan_of(same).deliveries


def test_nothing_to_run_is_an_error() -> None:
    assert "nothing to run" in problems_of(scenario(adapters=()))[0].message
    assert "nothing to run" in problems_of(scenario(), adapters={})[0].message
    assert "nothing to run" in problems_of(scenario(), prompts={"s": ()})[0].message


def test_repeat() -> None:
    def repeats(of: int | None, asked: int | None) -> set[int]:
        return set(plan_of(scenario(repeat=of), repeat=asked).repeats.values())

    assert repeats(None, None) == {2}
    assert repeats(5, None) == {5}
    assert repeats(5, 1) == {1}
    with pytest.raises(UsageError, match="at least 1"):
        plan_of(repeat=0)


def test_every_second_pass_goes_backwards() -> None:
    made = [
        scenario(prompt(label="1"), prompt(label="2"), envelopes=("channel",)),
        scenario(prompt(label="1"), name="t", file="t.yaml", envelopes=(), repeat=1),
    ]
    plan = plan_of(*made, adapters=TWO, **{"repeat": None})
    plan = replace(plan, repeats={key: 3 if key.scenario == "s" else 1 for key in plan.repeats})
    once = [("s", "1", "bare"), ("s", "1", "channel"), ("s", "2", "bare"), ("s", "2", "channel")]
    for name in TWO:
        trials = plan.order[name]
        assert {trial.key.adapter for trial in trials} == {name}
        cells = [(t.key.scenario, t.key.prompt, t.key.arm) for t in trials]
        assert cells == [*once, *reversed(once), *once, ("t", "1", "bare")]
        assert [t.index for t in trials] == [0] * 4 + [1] * 4 + [2] * 4 + [0]


def test_every_trial_is_planned_once_with_a_seed_of_its_own() -> None:
    plan = plan_of(adapters=TWO, repeat=3)
    trials = [trial for order in plan.order.values() for trial in order]
    assert len(trials) == plan.total == 2 * 3 * 3
    assert len({(t.key, t.index) for t in trials}) == len(trials)
    assert len({t.seed for t in trials}) == len(trials)
    assert all(0 <= t.seed < 2**31 for t in trials)
    assert plan_of(adapters=TWO, repeat=3).order == plan.order


def test_a_part_of_a_plan() -> None:
    plan = plan_of(scenario(), scenario(name="t", file="t.yaml"), adapters=TWO)
    keys = [d.key for d in plan.deliveries if d.key.scenario == "t" or d.key.adapter == "first"]
    part = plan.only(keys)
    assert [d.key for d in part.deliveries] == keys
    assert part.total == len(keys) * 2
    assert part.whole == {"t"}
    assert len(part.order["first"]) + len(part.order["second"]) == part.total
    assert part.hash != plan.hash
    one = plan.only([plan.deliveries[0].key])
    assert list(one.adapters) == ["first"]
    assert plan.only(plan.repeats).hash == plan.hash


def test_what_is_asked_for_in_vain_is_noted() -> None:
    with_file = scenario(prompt(attach=(attach(),), paste=attach()), name="t", file="t.yaml")
    (note,) = plan_of(scenario(), envelopes=["channel", "attached"]).notes
    assert str(note) == "--envelope attached is not used: it carries a document, and no prompt attaches one"
    (note,) = plan_of(with_file, envelopes=["channel"]).notes
    assert "every prompt attaches one" in str(note)
    assert plan_of(scenario(), with_file, envelopes=["channel", "attached"]).notes == ()
    (note,) = plan_of(adapters={"app": info("app", wraps=True)}, envelopes=["channel"]).notes
    assert "join the turn themselves" in str(note)


class Lazy(Mapping[str, Envelope]):
    """Envelopes that are read when they are looked up."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __getitem__(self, name: str) -> Envelope:
        self.read.append(name)
        if name == "reply":
            raise WorkbenchError(Problem("broken", Mark("reply.yaml", 2, 1)))
        return ENVELOPES[name]

    def __iter__(self) -> Iterator[str]:
        return iter(ENVELOPES)

    def __len__(self) -> int:
        return len(ENVELOPES)

    def __contains__(self, name: object) -> bool:
        return name in ENVELOPES


def test_a_broken_envelope_that_nothing_needs_is_let_be() -> None:
    lazy = Lazy()
    plan_of(scenario(envelopes=("channel",)), known=lazy)
    assert set(lazy.read) == {"channel"}
    (problem,) = problems_of(scenario(prompt(attach=(attach(),)), envelopes=("channel",)), known=lazy)
    assert "slot: attached;" in str(problem)
    (problem,) = problems_of(scenario(), known=lazy)
    assert str(problem) == "reply.yaml:2:1: broken"


def test_an_adapter_as_a_run_keeps_it() -> None:
    described = describe(Scripted(name="mine", wraps=True), "command")
    assert described == replace(info("mine", True, '{"version":"1"}'), use="command")


BASE = scenario(prompt(attach=(attach(),), messages=()), prompt("other", label="2", line=8))


def test_the_hash_holds_what_is_sent_and_to_what() -> None:
    same = plan_of(BASE).hash
    assert len(same) == 64
    first, second = BASE.prompts
    others = {
        "text": plan_of(replace(BASE, prompts=(replace(first, text="sent it"), second))),
        "label": plan_of(replace(BASE, prompts=(first, replace(second, label="b")))),
        "order": plan_of(replace(BASE, prompts=(second, first))),
        "prompts": plan_of(replace(BASE, prompts=(first,))),
        "scenario": plan_of(replace(BASE, name="t")),
        "repeat": plan_of(BASE, repeat=3),
        "envelopes": plan_of(BASE, envelopes=["attached", "channel"]),
        "adapters": plan_of(BASE, adapters=TWO),
        "fingerprint": plan_of(BASE, adapters={"router": info("router", fingerprint="v2")}),
        "wraps": plan_of(BASE, adapters={"router": info("router", wraps=True)}),
        "settings": plan_of(BASE, settings={"router": {"timeout": 3}}),
        "example": plan_of(
            BASE, known={**ENVELOPES, "reply": replace(ENVELOPES["reply"], template="> later\n\n{text}")}
        ),
    }
    hashes = {name: plan.hash for name, plan in others.items()}
    assert same not in hashes.values()
    assert len(set(hashes.values())) == len(hashes)


def test_the_hash_holds_the_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    before = plan_of(BASE).hash
    monkeypatch.setitem(FILES, "/w/a.txt", "text of a, changed")
    assert plan_of(BASE).hash != before


def test_the_hash_holds_nothing_else() -> None:
    first, second = BASE.prompts
    moved = replace(
        BASE,
        about="something else",
        prompts=(
            replace(first, mark=Mark("s.yaml", 50, 5), expect=Expectation(no_calls=True)),
            replace(second, mark=Mark("s.yaml", 80, 5)),
        ),
    )
    assert plan_of(moved, arguments={"verb": "run"}).hash == plan_of(BASE).hash


def test_lone_surrogates_differ_from_the_pair_they_would_make() -> None:
    apart, pair = plan_of(scenario(prompt("\ud83d\ude00"))), plan_of(scenario(prompt("\U0001f600")))
    assert apart.hash != pair.hash
