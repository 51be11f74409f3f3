"""Files of routes."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.files.routes import Route, RouteTable, load_routes


def load(folder: Path, text: str) -> RouteTable:
    path = folder / "routes.yaml"
    path.write_bytes(text.encode())
    return load_routes(path)


def wrong(folder: Path, text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(WorkbenchError) as caught:
        load(folder, text)
    found = []
    for problem in caught.value.problems:
        assert problem.mark is not None
        found.append((problem.mark.line, problem.mark.column, problem.message))
    return found


def test_every_key_is_read(tmp_path: Path) -> None:
    table = load(
        tmp_path,
        "routes:\n"
        "  - name: send_email\n"
        "    utterances: [no, on, '12:30', \"a\\u0301\"]\n"
        "    threshold: 0.62\n"
        "    description: Sends.\n"
        "  - {name: other, utterances: [x], threshold: 0}\n"
        "  - {name: third, utterances: [y], threshold: -0.5}\n",
    )
    assert table.routes == (
        Route("send_email", ("no", "on", "12:30", "a\u0301"), 0.62, "Sends."),
        Route("other", ("x",), 0.0),
        Route("third", ("y",), -0.5),
    )
    assert table.file == str(tmp_path / "routes.yaml")


def test_all_that_is_wrong_comes_at_once_each_at_its_place(tmp_path: Path) -> None:
    text = (
        "routes:\n"
        "  - {name: a, utterances: [x, ' ', null]}\n"
        "  - {name: a, utterances: []}\n"
        "  - {utterances: [y], threshold: high, score: 1}\n"
    )
    found = wrong(tmp_path, text)
    assert [(line, column) for line, column, _ in found] == [
        (2, 31),
        (2, 36),
        (3, 12),
        (3, 27),
        (4, 5),
        (4, 34),
        (4, 40),
    ]
    assert found[2][2] == 'a second route "a"'
    assert "no utterance stands here" in found[3][2]


def test_an_utterance_that_stands_twice_is_told(tmp_path: Path) -> None:
    text = "routes:\n  - {name: a, utterances: [x, x]}\n  - {name: b, utterances: [x]}\n"
    assert [(line, column) for line, column, _ in wrong(tmp_path, text)] == [(2, 31), (3, 28)]
    assert "for another route already" in wrong(tmp_path, text)[1][2]


@pytest.mark.parametrize("text", ["", "routes: {}\n", "routes: []\n", "- a\n", "routes: [a]\n"])
def test_no_route_is_an_error(tmp_path: Path, text: str) -> None:
    assert wrong(tmp_path, text)
