"""What is taken along: command lines, clipboards, files, and comparisons that stand by themselves."""

from __future__ import annotations

import shlex
import stat
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tui_made import workspace

from workbench.core.cell import CellKey
from workbench.core.errors import WorkbenchError
from workbench.core.text import is_invisible, safe, visible
from workbench.tui import clipboard
from workbench.tui.state import SessionState
from workbench.tui.taking import Taken, pack, shell_line, slug, why_not_take
from workbench.tui.themes import picture_colours
from workbench.tui.view.document import Document
from workbench.tui.view.export import LONGEST, Picture, as_html, as_markdown, as_svg, picture
from workbench.tui.view.rows import note

KEY = CellKey("envelope-replay", "build", "channel", "held")


def state_at(key: CellKey | None = KEY) -> SessionState:
    made = workspace()
    state = SessionState(made.session(made.run("envelope-replay")))
    for scenario in made.scenarios:
        state.planned(scenario.name, made.plan(scenario.name, None, None, None))
    if key is not None:
        state.place.go_to(key)
    return state


# Command lines


def test_a_command_is_copied_as_it_is_typed() -> None:
    parcel = pack(state_at(), Taken.COMMAND)
    assert parcel is not None
    assert shlex.split(parcel.text) == [
        *("workbench", "run", "envelope-replay#build", "--adapter", "held", "--envelope", "channel"),
    ]
    assert parcel.text.endswith("\n")


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@settings(max_examples=25, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=4))
def test_a_command_line_shows_all_and_means_the_same_to_a_shell(words: list[str]) -> None:
    line = shell_line(words)
    assert not any(is_invisible(char) for char in line)
    script = f"printf '%s\\0' {line}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    assert done.stdout.decode("utf-8").split("\0")[:-1] == words


def test_what_cannot_be_taken_along_says_why() -> None:
    state = state_at(None)
    state.place.select_row(0)
    assert "no answer here" in (why_not_take(state, Taken.COMMAND) or "")
    here = state_at()
    assert why_not_take(here, Taken.COMMAND) is None
    assert "cannot be made" in (why_not_take(here, Taken.CASE) or "")
    assert pack(here, Taken.CASE) is None


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (KEY, "envelope-replay-build-channel-held"),
        (CellKey("../../etc", "a/b", "channel(reply)", "A\x1b"), "etc-a-b-channel-reply-a"),
        (CellKey("\u4e2d", "\u202e", "..", "/"), "cell"),
        (CellKey("x" * 200, "1", "a", "b"), "x" * 80),
    ],
)
def test_a_file_is_named_after_its_cell_and_goes_nowhere_else(key: CellKey, name: str) -> None:
    assert slug(key) == name


# Clipboards


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[Path]:
    """A folder of clipboard programs that write down what they get."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("xclip", "xsel", "wl-copy"):
        program = folder / name
        program.write_text(f'#!/bin/sh\n/bin/cat > "{tmp_path}/{name}.got"\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    yield folder


def test_a_clipboards_program_is_found_for_the_display_that_there_is(tools: Path) -> None:
    path = str(tools)
    assert clipboard.tool({"PATH": path}) is None
    assert clipboard.tool({"PATH": path, "DISPLAY": ":0"}) == (
        str(tools / "xclip"),
        "-selection",
        "clipboard",
    )
    assert clipboard.tool({"PATH": path, "DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}) == (
        str(tools / "wl-copy"),
    )
    (tools / "xclip").unlink()
    assert clipboard.tool({"PATH": path, "DISPLAY": ":0"}) == (
        str(tools / "xsel"),
        "--clipboard",
        "--input",
    )
    assert clipboard.tool({"PATH": path, "TMUX": "x"}) is None


def test_it_gets_the_text_whole(tools: Path, tmp_path: Path) -> None:
    text = "\u4e2d \x1b[31m \ud800 end"
    assert clipboard.hand_over(text, (str(tools / "xclip"),))
    assert (tmp_path / "xclip.got").read_bytes() == b"\xe4\xb8\xad \x1b[31m \\ud800 end"
    assert clipboard.readable(text) == "\u4e2d \x1b[31m \\ud800 end"


def test_a_program_that_fails_or_hangs_took_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "PATIENCE", 0.2)
    assert not clipboard.hand_over("x", ("/bin/false",))
    assert not clipboard.hand_over("x", (str(tmp_path / "none"),))
    assert not clipboard.hand_over("x", ("/bin/sleep", "5"))


def test_a_file_is_written_whole_in_a_folder_that_git_ignores(tmp_path: Path) -> None:
    clipboard.keep(tmp_path, "copied.txt", "a much longer text than the next")
    file = clipboard.keep(tmp_path, "copied.txt", "short\ud800\r\n")
    assert file == tmp_path / ".workbench" / "exports" / "copied.txt"
    assert file.read_bytes() == b"short\\ud800\r\n"
    assert (tmp_path / ".workbench" / ".gitignore").read_text() == "*\n"
    assert [one.name for one in file.parent.iterdir()] == ["copied.txt"]


def test_no_link_leads_out_of_the_workspace(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    (inside / ".workbench").mkdir(parents=True)
    (inside / ".workbench" / "exports").symlink_to(outside)
    with pytest.raises(OSError, match="is a link"):
        clipboard.keep(inside, "a.txt", "x")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".workbench").symlink_to(outside)
    with pytest.raises(WorkbenchError):
        clipboard.keep(tmp_path / "linked", "a.txt", "x")
    assert not list(outside.iterdir())


def test_the_toast_names_every_way() -> None:
    root = Path("/w")
    file = root / ".workbench" / "exports" / "copied.txt"
    assert clipboard.told("it", 10, "/usr/bin/xclip", file, root) == (
        "copied it to the terminal (OSC 52), xclip and .workbench/exports/copied.txt"
    )
    assert clipboard.told("it", 10, None, None, root) == "copied it to the terminal (OSC 52)"
    assert "if it takes 100,000 bytes" in clipboard.told("it", 100_000, None, None, root)


# Pictures


def pictures(title: str = "a title", document: Document | None = None) -> tuple[Picture, Picture]:
    state = state_at()
    shown = document or state.comparisons.made(KEY)
    assert shown is not None
    colours = picture_colours(dark=True)
    wide = picture(shown, visible(title), colours, split=True, unfolded=False)
    return wide, picture(shown, visible(title), colours, split=False, unfolded=False)


class Reader(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_holds_every_line_and_loads_nothing() -> None:
    wide, _ = pictures("<script>alert(1)</script> & more")
    reader = Reader()
    reader.feed(as_html(wide))
    assert reader.tags == {"html", "head", "meta", "title", "style", "body", "h1", "pre", "span"}
    assert "<script>alert(1)</script> & more" in reader.text
    assert '<untrusted_channel_message channel="chat" from="u1">' in reader.text
    assert "ENVELOPE DRIFT hold → pass" in reader.text


def test_svg_is_xml_and_places_every_piece() -> None:
    wide, _ = pictures("<b> & \x1b")
    tree = ElementTree.fromstring(as_svg(wide))
    words = ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert "<b> & ␛" in words
    assert any("<untrusted_channel_message" in word for word in words)
    places = [float(node.get("x", "0")) for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert max(places) < float(tree.get("width", "0"))


def test_markdown_cannot_be_left_by_what_it_quotes() -> None:
    document = Document((None, safe("x")), (note("```` a fence"), note("plain")))
    _, narrow = pictures("`title`", document)
    text = as_markdown(narrow)
    assert text.startswith("### `` `title` ``\n\n`````diff\n")
    assert text.rstrip().endswith("\n`````")


def test_what_is_left_out_of_a_long_export_is_counted() -> None:
    document = Document((None, safe("x")), tuple(note(f"line {n}") for n in range(LONGEST + 7)))
    wide, narrow = pictures("t", document)
    for text in (as_html(wide), as_svg(wide), as_markdown(narrow)):
        assert "and 7 more lines" in text
