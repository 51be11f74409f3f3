"""What is seen of a lane's name in code of each language: logged, claimed, or only said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.lanes.emits.doing import How
from workbench.lanes.emits.seeing import Seen, Sight
from workbench.lanes.emits.sources import Sources
from workbench.lanes.syntax.excluded import NOTHING

# Code, and what comes of the name "memory" in it; with a * where it can only be the lane that is meant.
PYTHON = [
    ('claim("memory", text)', "receipt*"),
    ('ledger.claim("memory", text)', "receipt*"),
    ('with lane("memory") as parts:\n    parts.append(x)', "receipt*"),
    ('lanes.append({"name": "memory", "chars": 3})', "receipt*"),
    ('append_turn_receipt_lane(db, turn, "memory", n)', "receipt*"),
    ('turn.receipt.add("memory", n)', "receipt*"),
    ('receipt["memory"] = len(text)', "receipt"),
    ('receipt = {"lanes": [{"name": "memory", "chars": n}]}', "receipt"),
    ('MEMORY = "memory"\nclaim(MEMORY, text)', "receipt*"),
    ('logger.info("turn", extra={"lane": "memory", "chars": n})', "log*"),
    ('log.info("lane", "memory", n)', "log*"),
    ('log.info("turn", memory=len(text))', "log"),
    ('print({"memory": len(text)})', "log"),
    ('print("memory", n)', "log"),
    ('logger.info("memory=%d", n)', "log"),
    ('logger.info(f"lane memory: {n}")', "log"),
    ('span.set_attribute("lane", "memory")', "log*"),
    ('emit(lane="skill" if a == "b" else "memory")', "log*"),
    ('row = {"lane": "memory"}\nemit_turn(row)', "log*"),
    ('rows = []\nrows.append({"lane": "memory"})\nlog.info(rows)', "log*"),
    ('for lane in ("memory", "skill"):\n    emit(lane=lane)', "log*"),
    ('class M(W):\n    lane = "memory"\n\n    def go(self):\n        emit(lane=self.lane)', "log"),
    ('def note(turn, lane, n):\n    logger.info(lane, n)\n\nnote(turn, "memory", 3)', "log"),
    ('def note(n, *, lane):\n    logger.info(lane)\n\nnote(3, lane="memory")', "log*"),
    ('def put(lane):\n    note(lane)\n\ndef note(lane):\n    claim(lane, "x")\n\nput("memory")', "receipt*"),
    ('class Lane(StrEnum):\n    MEMORY = "memory"\n\nlogger.info(Lane.MEMORY.value)', "log"),
    ('class Lane(StrEnum):\n    MEMORY = "memory"\n\nlogger.info(Other.MEMORY)', "named"),
    ('def pick():\n    return "memory"\n\nlog.info(pick())', "log"),
    ('claim("memory", t)\nlog.info("memory", n)', "log receipt*"),
    ('logger = logging.getLogger("memory")', "named"),
    ('receipt("memory", n)', "receipt*"),
    ('add_receipt_lane(db, "memory", n)', "receipt*"),
    ('receipt_row("memory")', "receipt"),
    ('row = find_receipt("memory")', "named"),
    ('token.claim("memory", 3)', "named"),
    ('log_dir.joinpath("memory")', "named"),
    ('claim("memory")', "receipt*"),
    ('math.log(row["memory"])', "named"),
    ('if lane == "memory":\n    log.info(lane)', "named"),
    ('log.info(lane == "memory")', "named"),
    ('log.info("a" if lane == "memory" else "b")', "named"),
    ('LANES = ["memory", "skill"]', "named"),
    ('LANES = [{"name": "memory", "budget": 800}]', "named"),
    ('lanes = [{"name": "memory", "chars": n}]', "receipt"),
    ('def note(turn, lane):\n    store(lane)\n    log.info(turn)\n\nnote(t, "memory")', "named"),
    ('def note(lane):\n    emit(lane="other")\n\nnote("memory")', "named"),
    ('def f():\n    lane = "memory"\n\ndef g(lane):\n    log.info(lane)', "named"),
    ('# claim("memory", text)\nx = 1', ""),
    ('log.info("reading from memory")', ""),
    ('log.info("memory-mapped=1")', ""),
    ('claim("memory_old", text)\nclaim("in-memory", text)\nlog.info("memorylane", n)', ""),
    ("memory = load()\nlog.info(memory)", ""),
    ("memory.log(3)", ""),
]
SCRIPT = [
    ("ledger.claim('memory', text);", "receipt*"),
    ("lanes.push({ name: 'memory', chars });", "receipt*"),
    ("receipt.lanes.push({ lane: `memory` });", "receipt*"),
    ("const receipt = { lanes: [{ name: 'memory', chars }] };", "receipt"),
    ("noteReceiptLane(turn, 'memory', n);", "receipt*"),
    ("emitTurnEvent({ lane: 'memory', chars });", "log*"),
    ("emitTurnEvent({ lane: skill ? 'skill' : 'memory' });", "log*"),
    ("console.log('memory', n);", "log"),
    ("console.log(`memory=${n}`);", "log"),
    ("console.log({ memory: n });", "log"),
    ("const memory = 3; console.log({ memory });", "log"),
    ("const rec = { lane: 'memory' }; telemetry.send(rec);", "log*"),
    ("const rec: Rec = {}; rec.lane = 'memory'; emit(rec);", "log"),
    ("['memory'].forEach((lane) => console.log(lane));", "log"),
    ("enum Lane { Memory = 'memory' }\nlogger.debug(Lane.Memory);", "log"),
    ("note(turn, 'memory');\nfunction note(turn: T, lane: string) { emit({ lane }) }", "log"),
    ("const note = ({ lane, text }: X) => { emit({ lane }) };\nnote({ lane: 'memory', text });", "log*"),
    ("class A { get lane() { return 'memory' } go() { emit({ lane: this.lane }) } }", "log"),
    ("lanes.push({ lane: 'memory', chars });", "receipt*"),
    (
        "const pieces = [];\nfunction add(t) { pieces.push({ lane: 'memory', t }) }\n"
        "function drain() { for (const p of pieces) emitTurnEvent({ lane: p.lane }) }",
        "log*",
    ),
    (
        "const pending = new Map();\nnote(id, 'memory');\n"
        "function note(id, lane) { pending.get(id).push({ lane }) }\n"
        "function drain(id) { for (const p of pending.get(id)) emitTurnEvent({ lane: p.lane }) }",
        "log*",
    ),
    ("function f() { const p = ['memory']; }\nfunction g(p) { console.log(p) }", "named"),
    ("const note = ({ lane, text }: X) => { emit({ text }) };\nnote({ lane: 'memory', text });", "named"),
    ("emitTurnEvent({ lane: kind === 'memory' ? A : B });", "named"),
    ("app.get('memory', () => { console.log('hi') });", "named"),
    ("type Lane = 'memory' | 'skill';", "named"),
    ("switch (lane) { case 'memory': console.log(lane) }", "named"),
    ("const child = logger.child('memory');", "named"),
    ("dialog.show('memory'); catalog.add('memory');", "named"),
    ("// claim('memory', text)\n/* lanes.push({ name: 'memory' }) */", ""),
    ("const s = \"claim('memory')\";", ""),
]
RUST = [
    ('fn f() { ledger.claim("memory", text); }', "receipt*"),
    ('fn f() { append_turn_receipt_lane(&db, turn, "memory", n)?; }', "receipt*"),
    ('fn f() { lanes.push(LaneRecord { name: "memory".into(), chars: 3 }); }', "receipt*"),
    ('fn f() { info!(lane = "memory", chars = n); }', "log*"),
    ("fn f() { tracing::info!(memory = n); }", "log"),
    ('fn f() { println!("memory={}", n); }', "log"),
    ('fn f() { let lane = if a { "skill" } else { "memory" }; info!(lane, "x"); }', "log"),
    ('fn f() { note("memory", 3); }\nfn note(lane: &str, n: usize) { log::info!("{}", lane); }', "log"),
    (
        'fn name(k: K) -> &str { match k { A => "skill", _ => "memory" } }\nfn g() { debug!("{}", name(k)) }',
        "log",
    ),
    ('fn f() { store(json!({"lane": "memory"})); }', "named"),
    ('#[cfg(test)] mod tests { fn t() { info!(lane = "memory"); } }', ""),
    ('/// claim("memory")\nfn f() {}', ""),
]
GO = [
    ('func f() { ledger.Claim("memory", text) }', "receipt*"),
    ('func f() { lanes = append(lanes, Lane{Name: "memory"}) }', "receipt*"),
    ('func f() { receipts["memory"] = n }', "receipt"),
    ('func f() { slog.Info("turn", "lane", "memory") }', "log*"),
    ('func f() { log.Info().Str("lane", "memory").Int("n", n).Msg("x") }', "log*"),
    ('func f() { fmt.Println("memory", n) }', "log"),
    ('func f() { r := Rec{Lane: "memory"}; log.Println(r) }', "log*"),
    ('const Memory Lane = "memory"\nfunc f() { logger.Info(Memory) }', "log"),
    (
        'func f() { note("memory", 3) }\nfunc note(lane string, n int) { logger.Info("x", "lane", lane) }',
        "log*",
    ),
    ('func f() { fmt.Sprintf("memory") }', "named"),
    ('func f() { switch lane { case "memory": log.Println(lane) } }', "named"),
    ('// Claim("memory")\nfunc f() {}', ""),
]


def seen(folder: Path, lane: str = "memory") -> list[Seen]:
    return Sight(Sources([folder], NOTHING)).of(lane)


def short(found: list[Seen]) -> str:
    marks = {one.how: "*" if one.certain and one.how is not How.NAMED else "" for one in found}
    return " ".join(f"{how}{marks[how]}" for how in sorted(marks))


@pytest.mark.parametrize(
    ("ending", "code", "answer"),
    [
        *(("py", *one) for one in PYTHON),
        *(("ts", *one) for one in SCRIPT),
        *(("rs", *one) for one in RUST),
        *(("go", f"package a\n{code}", answer) for code, answer in GO),
    ],
)
def test_what_comes_of_a_name(tmp_path: Path, ending: str, code: str, answer: str) -> None:
    (tmp_path / f"app.{ending}").write_text(code)
    assert short(seen(tmp_path)) == answer


def test_by_way_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text('MEMORY = "memory"\n')
    (tmp_path / "app.py").write_text("from names import MEMORY\nfrom notes import note\n\nnote(MEMORY, 3)\n")
    (tmp_path / "notes.py").write_text("def note(lane, n):\n    logger.info(lane)\n")
    (one,) = seen(tmp_path)
    assert (one.how.value, one.place.file, one.certain) == ("log", f"{tmp_path}/names.py", False)
    assert one.by is not None
    assert (one.by.file, one.by.line) == (f"{tmp_path}/notes.py", 2)


def test_a_method_is_followed_where_only_one_has_its_name(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text('self.ledger.note_text("memory", 3)\n')
    (tmp_path / "a.py").write_text("class A:\n    def note_text(self, lane, n):\n        logger.info(lane)\n")
    assert short(seen(tmp_path)) == "log"
    (tmp_path / "b.py").write_text("class B:\n    def note_text(self, lane, n):\n        store(lane)\n")
    assert short(seen(tmp_path)) == "named"


def test_a_function_of_another_language_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text('note("memory")\n')
    (tmp_path / "note.rs").write_text('fn note(lane: &str) { println!("{}", lane); }\n')
    assert short(seen(tmp_path)) == "named"


@pytest.mark.parametrize(
    "name", ["tests/a.py", "test_a.py", "a_test.py", "conftest.py", "x.test.ts", "x.spec.tsx", "a_test.go"]
)
def test_tests_are_not_the_app(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('claim("memory", text)\n')
    assert seen(tmp_path) == []
    sources = Sources([tmp_path], NOTHING)
    assert list(sources.tests_holding("memory")) == [f"{tmp_path}/{name}"]


@pytest.mark.parametrize("name", ["latest.py", "contest.ts", "attestation/a.py", "testing_lanes.py"])
def test_what_only_sounds_like_a_test(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('claim("memory", text)\n')
    assert short(seen(tmp_path)) == "receipt*"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.text(
        st.characters(exclude_categories=["C", "Z"], exclude_characters="\"'`\\"), min_size=1, max_size=12
    )
)
def test_any_name_is_found_as_it_is_and_not_within_another(tmp_path: Path, name: str) -> None:
    lines = f'x = 1\nclaim("{name}", text)\nclaim("{name}_{name}", text)\nprint("a {name} z")\n'
    (tmp_path / "app.py").write_text(lines, "utf-8")
    (tmp_path / "app.go").write_text(f'package a\n\nfunc f() {{\n\tlog.Println("{name}")\n}}\n', "utf-8")
    places = [(Path(one.place.file).name, one.place.line, one.how) for one in seen(tmp_path, name)]
    assert places == [("app.go", 4, How.LOG), ("app.py", 2, How.RECEIPT)]


def test_names_with_signs_in_them(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'claim("api.user-v2/x:1", t)\nclaim("apiXuser-v2/x:1", t)\nclaim("für", t)\n'
    )
    assert [one.place.line for one in seen(tmp_path, "api.user-v2/x:1")] == [1]
    assert short(seen(tmp_path, "für")) == "receipt*"


def test_a_function_that_calls_itself_comes_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'def note(lane):\n    again(lane)\n\ndef again(lane):\n    note(lane)\n\nnote("memory")\n'
    )
    assert short(seen(tmp_path)) == "named"
