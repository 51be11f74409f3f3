"""The README's pictures: the script that draws them runs, and they ask no host for anything."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
import textual
from command import REPOSITORY
from pictures import FOLDER, PICTURES, main, plain

README = REPOSITORY / "README.md"
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'

SHOWN = {
    "screen.svg": ("canary", "FIRE", "open-session +3", "Harbour Desk", "delete the records"),
    "hold.svg": ("hold", "pass", "<untrusted_channel_message", "lacks"),
    "fixed.svg": ("hold", "fixed", "identical, 53 characters"),
    "lanes.svg": ("dark=79", "owned=1,183", "sent=1,262", "double=56", "A file is attached", "connections"),
}


def words(svg: str) -> str:
    """What can be read in a picture."""
    return unescape(" ".join(re.findall(r">([^<>]+)</text>", svg))).replace("\xa0", " ")


@pytest.mark.skipif(textual.__version__ != "8.2.8", reason="pictures of Textual 8.2.8")
def test_the_script_draws_every_picture(tmp_path: Path) -> None:
    main(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(PICTURES)
    for name, expected in SHOWN.items():
        svg = (tmp_path / name).read_text("utf-8")
        assert "http" not in svg.replace(NAMESPACE, "")
        assert not re.search(r"/tmp|/home|\d\.\d s\b|err.*reading", words(svg))
        for word in expected:
            assert word in words(svg), name


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_stands_in_the_readme_and_names_no_host(name: str) -> None:
    svg = (FOLDER / name).read_text("utf-8")
    ElementTree.fromstring(svg)
    assert svg.count(NAMESPACE) == 1 and "http" not in svg.replace(NAMESPACE, "")
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", svg) and "@font-face" not in svg
    assert f"](.github/{name})" in README.read_text("utf-8")
    for word in SHOWN[name]:
        assert word in words(svg)


def test_blanks_round_a_word_become_its_place() -> None:
    def text(x: str, width: str, words: str) -> str:
        place = f'x="{x}" y="20" textLength="{width}" clip-path="url(#t)"'
        return f'<g><text class="t-1-r2" {place}>{words}</text></g>'

    assert plain(text("12.2", "73.2", "&#160;&#160;a&#160;&lt;&#160;")) == text("36.6", "36.6", "a&#160;&lt;")
    assert plain(text("0", "12.2", "&#160;")) == "<g></g>"
