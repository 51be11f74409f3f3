"""What is drawn while a line is typed: looks, toolbar, and the history that brings lines back."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell_parts import shipped_copy

from workbench.core.errors import WorkbenchError
from workbench.core.text import SafeText
from workbench.files.workspace import load_workspace
from workbench.shell import history
from workbench.shell.delivery import Settings
from workbench.shell.lexer import lit, lit_lines
from workbench.shell.paste import Draft
from workbench.shell.preview import Glance, Preview, keyword_preview
from workbench.shell.session import Session
from workbench.shell.toolbar import toolbar


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = shipped_copy(tmp_path)
    made = Session(load_workspace(root), root.resolve(), Settings(()))
    made.choose_adapters(())
    return made


@pytest.fixture
def preview(session: Session) -> Preview:
    made = keyword_preview(session.workspace, ("held",))
    assert made is not None
    return made


def bar(session: Session, preview: Preview | None, draft: Draft) -> str:
    pieces = toolbar(session, preview, draft)
    assert all(isinstance(text, SafeText) for _, text in pieces)
    return "".join(text for _, text in pieces)


def test_the_preview_is_of_the_keyword_table(session: Session, preview: Preview) -> None:
    assert preview.name == "keywords"
    glance = preview.look("every morning check my calendar")
    assert glance is not None
    assert glance.outcome == "hold"
    assert glance.holds == ((0, 13),)
    assert glance.fires == ((20, 31),)
    assert glance.tools == ("google-calendar::list-events",)


def test_an_edit_of_the_table_is_seen_and_a_broken_one_leaves_the_last(
    session: Session, preview: Preview
) -> None:
    table = session.workspace.root / "scenarios/keywords.yaml"
    assert preview.look("dance") == Glance(outcome=preview.look("hello").outcome)  # type: ignore[union-attr]
    table.write_text("keywords:\n  - {phrases: [dance], tool: dance::start}\n")
    assert preview.look("dance").tools == ("dance::start",)  # type: ignore[union-attr]
    table.write_text("keywords: [")
    assert preview.look("dance").tools == ("dance::start",)  # type: ignore[union-attr]
    assert "as it was before" in bar(session, preview, Draft("dance"))


def test_a_workspace_without_a_table(tmp_path: Path) -> None:
    (tmp_path / "workbench.yaml").write_text("adapters: {a: {use: command, argv: [x]}}\n")
    workspace = load_workspace(tmp_path)
    assert keyword_preview(workspace, ("a",)) is None
    assert "no keyword table" in bar(Session(workspace, tmp_path, Settings(("a",))), None, Draft("x"))


def test_the_toolbar_says_outcome_and_tools(session: Session, preview: Preview) -> None:
    first, second = bar(session, preview, Draft("check my calendar")).split("\n")
    assert first == "keywords: fire google-calendar::list-events"
    assert second == "adapters: all | envelopes: none"
    assert "hold declines google-calendar::list-events" in bar(
        session, preview, Draft("every morning check my calendar")
    )


def test_the_toolbar_shows_the_hole_while_typing(session: Session, preview: Preview) -> None:
    first = bar(session, preview, Draft("sum: One click", ((5, 14),))).split("\n")[0]
    assert first == "keywords: fire browser::open-session  without the paste: pass"


def test_the_toolbar_helps_with_commands(session: Session, preview: Preview) -> None:
    assert bar(session, preview, Draft("/a")).startswith("/adapter  /attach  /again\n")
    assert bar(session, preview, Draft("/repeat 2")).startswith("/repeat N  so many times each")


def test_looks_lie_over_each_other() -> None:
    glance = Glance(outcome=None, fires=((4, 9),), holds=((0, 3),))  # type: ignore[arg-type]
    looks = {(s.start, s.end): s.looks for s in lit(Draft("who click it", ((2, 6),)), glance)}
    assert looks == {
        (0, 2): ("holds",),
        (2, 3): ("paste", "holds"),
        (3, 4): ("paste",),
        (4, 6): ("paste", "fires"),
        (6, 9): ("fires",),
        (9, 12): (),
    }


spans = st.lists(st.integers(0, 12), max_size=6).map(
    lambda edges: tuple(zip(*[iter(sorted(set(edges)))] * 2, strict=False))
)


@given(st.text("ab\n", max_size=12), spans, spans, spans)
def test_no_character_is_lost_between_looks(
    text: str, pastes: tuple[tuple[int, int]], fires: tuple[tuple[int, int]], holds: tuple[tuple[int, int]]
) -> None:
    glance = Glance(outcome=None, fires=fires, holds=holds)  # type: ignore[arg-type]
    lines = lit_lines(Draft(text, pastes), glance)
    assert "\n".join("".join(piece for piece, _ in line) for line in lines) == text


drafts = st.text(max_size=20).flatmap(
    lambda text: st.builds(
        Draft,
        st.just(text),
        st.lists(st.integers(0, len(text)), max_size=4, unique=True).map(
            lambda edges: tuple(zip(*[iter(sorted(edges))] * 2, strict=False))
        ),
    )
)


@given(st.lists(drafts.filter(lambda draft: not draft.text[:1].isspace()), max_size=5))
def test_history_comes_back_with_its_pastes(
    tmp_path_factory: pytest.TempPathFactory, kept: list[Draft]
) -> None:
    path = tmp_path_factory.mktemp("state") / "workbench/history.jsonl"
    for draft in kept:
        history.append(path, draft)
    assert history.load(path) == kept


def test_history_is_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state/workbench/history.jsonl"
    history.append(path, Draft("x\x1b[2J"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes().isascii()
    assert b"\x1b" not in path.read_bytes()


def test_a_line_that_begins_with_a_blank_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    history.append(path, Draft(" secret"))
    assert history.load(path) == []


def test_rows_that_are_no_line_count_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    rows = [
        '{"text": "a", "pastes": []}',
        '{"text": 1, "pastes": []}',
        '{"text": "a", "pastes": [[0, 9]]}',
        '{"text": "a", "pastes": [[1]]}',
        '{"text": "b"}',
        *("{", "[]", "null", "\xff"),
    ]
    path.write_text("\n".join(rows), encoding="latin-1")
    assert history.load(path) == [Draft("a")]


def test_a_long_history_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text("".join(f'{{"text": "{number}", "pastes": []}}\n' for number in range(4_100)))
    assert [draft.text for draft in history.load(path)][-1] == "4099"
    assert len(path.read_text().splitlines()) == 2_000
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_history_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkbenchError, match="history cannot be kept"):
        history.append(tmp_path / "file/history.jsonl", Draft("x"))
