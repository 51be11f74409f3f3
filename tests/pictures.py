"""The README's pictures, exported from the running program. `python tests/pictures.py` draws them anew."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from workbench.cli.walking import staged, walk_session
from workbench.core.cell import CellKey
from workbench.tui.app import WorkbenchApp
from workbench.tui.guide import stand_on
from workbench.tui.progress import Progress
from workbench.tui.screens.main import MainScreen
from workbench.tui.session import Target
from workbench.tui.view.layout import Pane
from workbench.tui.view.tabs import Tab

FOLDER = Path(__file__).parents[1] / ".github"
SIZE = (120, 36)


class Picture(NamedTuple):
    """The cell that stands open in it, on which tab, and how many differences further it is read."""

    key: CellKey
    further: int = 0
    tab: Tab = Tab.WINDOW


PICTURES = {
    "screen.svg": Picture(CellKey("canary", "question", "attached", "naive"), 3),
    "hold.svg": Picture(CellKey("envelope-replay", "build", "channel", "held"), 3),
    "fixed.svg": Picture(CellKey("envelope-replay", "build", "channel", "fixed")),
    "lanes.svg": Picture(CellKey("lanes", "question", "attach", "gateway-recorded"), tab=Tab.LANES),
}

# A picture brings no font along: whoever looks at it has one, and no host is asked.
CELL = 12.2
"""Units of a picture that one terminal cell is wide."""

_BLANK = "&#160;"
_TEXT = re.compile(
    r'(<text class="[^"]*-r\d+" x=)"([\d.]+)"( y="[\d.]+" textLength=)"[\d.]+"([^>]*>)([^<]*)</text>'
)

_FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main(folder: Path) -> None:
    """Draw every picture into `folder`."""
    folder.mkdir(exist_ok=True)
    with staged() as root:
        for name, svg in asyncio.run(draw(root)).items():
            (folder / name).write_text(svg, "utf-8")


async def draw(root: Path) -> dict[str, str]:
    """The pictures of a workspace that holds what ships, all of it run once."""
    app = WorkbenchApp(replace(walk_session(root), walk=None, found=None))
    drawn: dict[str, str] = {}
    async with app.run_test(size=SIZE) as pilot:
        main = app.screen_stack[0]
        assert isinstance(main, MainScreen)

        async def rest() -> None:
            async with asyncio.timeout(60):
                while main.runner.busy or app.state.progress.busy:
                    await pilot.pause(0.02)
            await pilot.pause()

        for scenario in app.state.scenarios:
            main.run(Target(scenario))
            await rest()
        # How long it took differs from time to time; the pictures should not.
        app.state.progress = Progress()
        for name, (key, further, tab) in PICTURES.items():
            assert stand_on(app.state, key)
            app.state.place.pane, app.state.place.tab = Pane.MATRIX, tab
            app.state.version += 1
            main.redraw()
            await rest()
            for _ in range(further):
                main.perform("next-difference")
            await rest()
            drawn[name] = plain(app.export_screenshot(title=f"workbench: {key.scenario}"))
    return drawn


def plain(svg: str) -> str:
    """An SVG that asks no host for anything and names none, and whose words stand where they should."""
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"@font-face\s*{[^}]*}\s*", "", svg)
    svg = re.sub(r"font-family:[^;]*;", f"font-family: {_FONTS};", svg)
    return _TEXT.sub(_without_blanks, svg)


def _without_blanks(found: re.Match[str]) -> str:
    """Blanks round a word become its place: some viewers drop those at its start."""
    before, x, between, after, words = found.groups()
    inner = words.replace(_BLANK, " ")
    left = len(inner) - len(inner.lstrip(" "))
    bare = inner.strip(" ")
    if not bare:
        return ""
    place = round(float(x) + left * CELL, 1)
    width = round(cell_len(unescape(bare)) * CELL, 1)
    return f'{before}"{place:g}"{between}"{width:g}"{after}{bare.replace(" ", _BLANK)}</text>'


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
