"""The house: which room may import which, how large a file may be, and what `--help` may load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "workbench"

# From upstream to downstream: a room imports only from rooms before it.
ROOMS = (
    "core",
    "stats",
    "compare",
    "files",
    "wire",
    "store",
    "adapters",
    "replay",
    "explain",
    "capture",
    "lanes",
    "report",
    "demo",
    "shell",
    "tui",
    "cli",
)

# Narrower than the order: what a room may import at all.
ONLY: dict[str, frozenset[str]] = {
    "compare": frozenset({"core", "stats"}),
    "files": frozenset({"core"}),
    "stats": frozenset(),
    "wire": frozenset({"core"}),
    "store": frozenset({"core"}),
    "report": frozenset({"core", "compare", "stats"}),
    "demo": frozenset(),
    "shell": frozenset({"core", "compare", "files", "store", "adapters", "replay", "report"}),
    "tui": frozenset(ROOMS[: ROOMS.index("report")]),
}

# Files of one subject beside the rooms, for apps to copy, and the rooms that read them too: what an app
# measures and what the workbench measures is then one thing. The demo is such an app.
ALONE: dict[str, frozenset[str]] = {"lanes": frozenset({"ledger"}), "demo": frozenset({"ledger"})}

# Libraries, and the only rooms that may import them.
LIBRARIES: dict[str, frozenset[str]] = {
    "yaml": frozenset({"files"}),
    "deepdiff": frozenset({"compare"}),
    "sqlite3": frozenset({"store", "capture"}),
    "ahocorasick_rs": frozenset({"adapters"}),
    "textual": frozenset({"tui"}),
    "rich": frozenset({"tui"}),
    "platformdirs": frozenset({"files", "cli"}),
    "prompt_toolkit": frozenset({"shell"}),
    "argparse": frozenset({"cli"}),
    "aiohttp": frozenset({"adapters"}),
    "tomlkit": frozenset({"lanes"}),
    "ast_grep_py": frozenset({"lanes"}),
    "scipy": frozenset({"stats"}),
    "duckdb": frozenset({"capture"}),
    "sqlalchemy": frozenset({"capture"}),
}

MOST_LINES = 400
MOST_LINES_OF = {
    "tui/app.py": 150,
    "tui/screens/main.py": 300,
    "ledger.py": 800,  # an app copies one file: a second would have to travel with it
}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports anywhere, late imports and those for types included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_run_one_way(path: Path) -> None:
    room = room_of(path)
    if not room:
        return
    allowed = ONLY.get(room, frozenset(ROOMS[: ROOMS.index(room)])) | {room} | ALONE.get(room, frozenset())
    for module in imports(path):
        top, _, rest = module.partition(".")
        if top == "workbench" and rest:
            target = rest.partition(".")[0]
            assert target in allowed, f"{room} imports {module}"
        elif top in LIBRARIES:
            assert room in LIBRARIES[top], f"{room} imports {module}"
        elif room in ("core", "demo"):
            assert top == "workbench" or top in sys.stdlib_module_names, f"{room} imports {module}"


def test_every_room_is_known() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(ROOMS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_stay_small(path: Path) -> None:
    name = path.relative_to(PACKAGE).as_posix()
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES_OF.get(name, MOST_LINES)


HEAVY = (
    "textual",
    "rich",
    "prompt_toolkit",
    "deepdiff",
    "pydantic",
    "aiohttp",
    "scipy",
    "numpy",
    "yaml",
    "sqlite3",
    "asyncio",
    "rapidfuzz",
    "ahocorasick_rs",
    "workbench.adapters",
    "workbench.compare",
    "workbench.core.finding",
    "workbench.files",
    "workbench.lanes",
    "workbench.tui",
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["run", "--help"],
        ["--version"],
        ["probe", "--help"],
        ["shell", "--help"],
        ["explain", "--help"],
        ["lanes", "--help"],
        ["lanes", "check", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from workbench.cli.main import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_help_of_all_verbs_loads_none_of_them() -> None:
    code = (
        "import sys\n"
        "from workbench.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith('workbench.cli.')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("workbench.cli.") for name in ast.literal_eval(done.stdout.splitlines()[-1])}
    assert loaded == {"main", "exits", "streams", "parser", "options", "verbs"}


@pytest.mark.parametrize(
    "module", ["workbench.core.cell", "workbench.compare.findings", "workbench.report.formats"]
)
def test_the_core_needs_no_screen(module: str) -> None:
    code = (
        f"import sys, {module}\nprint([name for name in ('textual', 'rich', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_the_agreed_entries_stand_at_the_top() -> None:
    top = {path.name for path in PACKAGE.parent.iterdir() if not path.name.startswith(".")}
    agreed = {
        "pyproject.toml",
        "workbench",
        "scenarios",
        "envelopes",
        "tests",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
    }
    assert top - {"build", "dist", "snapshot_report.html"} <= agreed


def test_every_offer_to_install_an_extra_names_one_that_this_project_has() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [(PACKAGE.parent / "README.md").read_text("utf-8")]
    texts += [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
    offers = {offer for text in texts for offer in re.findall(r"pip install '([\w-]+)\[([\w,]+)\]'", text)}
    assert offers
    known = {(project["name"], extra) for extra in project["optional-dependencies"]}
    assert offers <= known
