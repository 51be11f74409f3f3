"""The writer takes safe text and nothing else, and nothing else in the room writes."""

from __future__ import annotations

import ast
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench.report
from workbench.core.text import SafeText, is_invisible, safe, visible
from workbench.report.writer import Piece, Style, Writer, glyph, own, plain

ROOM = Path(workbench.report.__file__).parent
BARE: Any = "bare"


@pytest.mark.parametrize("pieces", [(BARE,), (safe("fine"), BARE), (safe("fine"), b"bytes"), (None,)])
def test_a_bare_string_is_refused_before_anything_is_written(pieces: tuple[Any, ...]) -> None:
    out = io.StringIO()
    with pytest.raises(TypeError):
        Writer(out).line(*pieces)
    assert out.getvalue() == ""


def test_a_piece_of_a_bare_string_is_refused() -> None:
    with pytest.raises(TypeError, match="bare string"):
        Piece(BARE)


def test_colour_stands_round_the_text_and_nowhere_without_it() -> None:
    out = io.StringIO()
    Writer(out, colour=True).line(Piece(safe("wrong"), "error"), safe(" plain"), Piece(safe(""), "dim"))
    assert out.getvalue() == "\x1b[1;31mwrong\x1b[0m plain\n"
    out = io.StringIO()
    Writer(out).line(Piece(safe("wrong"), "error"))
    assert out.getvalue() == "wrong\n"


def test_several_styles_at_once() -> None:
    out = io.StringIO()
    Writer(out, colour=True).line(Piece(safe("word"), "attachment changed matched"))
    assert out.getvalue() == "\x1b[33;4;7mword\x1b[0m\n"


def test_every_author_has_a_style_of_its_own_name() -> None:
    from workbench.core.turn import Author

    out = io.StringIO()
    for author in Author:
        Writer(out, colour=True).line(Piece(safe("x"), author.value))
    assert out.getvalue().count("\x1b[0m") == len(Author)


@given(st.text())
def test_coloured_foreign_text_has_no_escape_but_ours(text: str) -> None:
    out = io.StringIO()
    Writer(out, colour=True).line(Piece(visible(text), "error"))
    inner = out.getvalue().removeprefix("\x1b[1;31m").removesuffix("\x1b[0m\n") if text else ""
    assert not any(is_invisible(char) for char in inner)


def test_ascii_style_has_a_stand_in_for_every_glyph() -> None:
    style = Style(ascii=True)
    words = own("✗ ✓ … │ → – · ↵ ╱", style)
    assert words.isascii()
    assert glyph("…", style) == "..."
    assert own("✗ …", Style()) == "✗ …"


def test_plain_is_the_text_alone() -> None:
    text = plain((Piece(safe("a "), "error"), Piece(visible("b\x1b"))))
    assert text == "a b␛"
    assert isinstance(text, SafeText)


def test_only_the_writer_writes() -> None:
    """No print, no stream and no other `.write(` in any module of the room."""
    for module in ROOM.glob("*.py"):
        if module.name == "writer.py":
            continue
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                assert name not in {"print", "write", "writelines", "open"}, f"{module.name}:{node.lineno}"


def test_the_room_imports_core_and_compare_only() -> None:
    allowed = ("workbench.core", "workbench.compare", "workbench.report")
    for module in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("workbench") or name.startswith(allowed), (module.name, name)
                assert name.split(".")[0] not in {"rich", "textual"}, (module.name, name)
