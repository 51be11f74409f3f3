"""What the screen asks of the command line: which files to watch, trust, plans of a part, the settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Bench

from workbench.cli.backstage import Backstage
from workbench.cli.opening import session_of
from workbench.core.cell import CellKey
from workbench.core.errors import WorkbenchError
from workbench.files.trust import trust_file
from workbench.files.workspace import load_workspace

TABLE = """\
adapters:
  keywords: {use: keyword, table: tables/words.yaml}
  router: {use: python, target: "app.routing:route"}
  flat: {use: python, target: "single:route", cwd: src}
  program: {use: command, argv: [node, ./router.js, --jsonl]}
  outside: {use: command, argv: [/etc/hostname]}
"""


@pytest.fixture(autouse=True)
def here(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen runs in the folder that it was started in."""
    monkeypatch.chdir(bench.folder)


@pytest.fixture
def watching(bench: Bench) -> Backstage:
    bench.write("workbench.yaml", TABLE)
    bench.write("tables/words.yaml", "keywords:\n  - {phrases: [hello], tool: greet}\n")
    for name in ("app/__init__.py", "app/routing.py", "app/phrases.py", "src/single.py", "router.js"):
        bench.write(name, "")
    bench.write("note.txt", "a note")
    bench.write("scenarios/a.yaml", "scenario: a\nprompts:\n  - {text: hello, attach: ../note.txt}\n")
    bench.write("scenarios/broken.yaml", "scenario: [\n")
    bench.write("envelopes/tag.yaml", "envelope: tag\ningress: channel\ntemplate: '<{text}>'\n")
    return Backstage(bench.folder.resolve(), False, bench.folder.resolve())


def test_every_file_that_decides_is_watched(watching: Backstage) -> None:
    root = watching.root
    names = {str(path.relative_to(root)) for path in watching.watched() if path.is_relative_to(root)}
    assert names == {
        "workbench.yaml",
        "scenarios",
        "scenarios/a.yaml",
        "scenarios/broken.yaml",
        "envelopes",
        "envelopes/tag.yaml",
        "tables/words.yaml",
        "app",
        "app/__init__.py",
        "app/routing.py",
        "app/phrases.py",
        "src/single.py",
        "router.js",
        "note.txt",
    }


def test_nothing_outside_is_watched_but_the_trust(watching: Backstage) -> None:
    outside = [path for path in watching.watched() if not path.is_relative_to(watching.root)]
    assert outside == [trust_file(load_workspace(watching.root))]


def test_trust_is_told_given_and_seen(watching: Backstage) -> None:
    lines = "\n".join(watching.adapter_lines())
    assert "app.routing:route" in lines and "./router.js" in lines
    before = watching.reload()
    assert not before.trusted
    assert before.needs_trust == frozenset({"router", "flat", "program", "outside"})
    watching.trust()
    assert watching.reload().trusted


def test_files_that_do_not_load_are_told_and_the_rest_is_read(watching: Backstage) -> None:
    loaded = watching.reload()
    assert [scenario.name for scenario in loaded.scenarios] == ["a"]
    assert {problem.mark.file for problem in loaded.problems if problem.mark} == {"scenarios/broken.yaml"}
    (watching.root / "workbench.yaml").write_text("adapters: [\n")
    broken = watching.reload()
    assert [scenario.name for scenario in broken.scenarios] == ["a"]
    assert any(p.mark and p.mark.file.endswith("workbench.yaml") for p in broken.problems)


def test_a_part_of_a_plan_is_what_is_left_of_it(bench: Bench) -> None:
    bench.write("workbench.yaml", "adapters:\n  keywords: {use: keyword, table: words.yaml}\n")
    bench.write("words.yaml", "keywords:\n  - {phrases: [hello], tool: greet}\n")
    bench.write("scenarios/a.yaml", "scenario: a\nprompts:\n  - text: hello\n  - text: bye\n")
    root = bench.folder.resolve()
    backstage = Backstage(root, False, root)
    plan = backstage.plan("a", None, None, None)
    key = CellKey("a", "2", "bare", "keywords")
    assert [delivery.key for delivery in backstage.only(plan, {key}).deliveries] == [key]
    with pytest.raises(WorkbenchError, match="has changed"):
        backstage.only(plan, {CellKey("gone", "1", "bare", "keywords")})


def test_the_packaged_workspace_offers_to_begin_one(bench: Bench, tmp_path: Path) -> None:
    from workbench.files.workspace import packaged_root

    workspace = load_workspace(packaged_root(), packaged=True)
    session = session_of(workspace, bench.folder)
    assert session.packaged and session.trusted and session.trust is None and session.found is not None
    session.found(bench.folder)
    assert bench("run", "--quiet", "--format", "json").json["cells"]
    (bench.folder / "scenarios" / "first.yaml").write_text("scenario: mine\nprompts: [{text: hi}]\n")
    session.found(bench.folder)
    assert "mine" in (bench.folder / "scenarios" / "first.yaml").read_text()


def test_info_names_the_settings_and_what_is_wrong_with_them(
    bench: Bench, hermetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(hermetic / "config"))
    path = hermetic / "config" / "workbench" / "config.yaml"
    assert bench("info").text.count(f"{path} (none yet)") == 1
    path.parent.mkdir(parents=True)
    path.write_text("keys:\n  run-cell: q\n  no-such: x\n")
    text = bench("info").text
    assert f"{path}:3:3: keys: there is no command" in text
    assert "quit has no key left" in text
