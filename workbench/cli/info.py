"""`workbench info`: versions, and which file, folder and interpreter is used."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.cli.bench import Bench
    from workbench.core.decision import Json

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench info
  workbench info --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text or json")


def act(arguments: Namespace) -> int:
    from workbench.cli.bench import open_bench
    from workbench.core.text import safe, visible

    facts = dict(_facts(open_bench()))
    if arguments.format == "json":
        import json

        print(json.dumps(facts, ensure_ascii=True, indent=1))
        return 0
    width = max(map(len, facts))
    for name, value in facts.items():
        print(safe(f"{visible(name).ljust(width)}  {visible(str(value))}"))
    return 0


def _facts(bench: Bench) -> Iterator[tuple[str, Json]]:
    import os
    import platform
    import sys
    from importlib.metadata import version

    from platformdirs import user_state_path

    from workbench import __version__
    from workbench.adapters.registry import names
    from workbench.cli.bench import store_root
    from workbench.cli.streams import has_terminal
    from workbench.files.settings import load_settings, settings_file
    from workbench.files.trust import is_trusted
    from workbench.tui.commands import COMMANDS
    from workbench.tui.keymap import keymap_of

    workspace = bench.workspace
    yield "workbench", __version__
    yield "python", f"{platform.python_version()} at {sys.executable}"
    for library in ("textual", "rich", "pyyaml", "deepdiff", "rapidfuzz", "ahocorasick-rs"):
        yield library, version(library)
    yield "workspace", str(workspace.file) + (" (packaged)" if workspace.packaged else "")
    yield "trusted", "yes" if is_trusted(workspace) else "no: `workbench trust` makes it so"
    yield "runs", str(store_root(workspace) / ".workbench" / "runs.db")
    settings = load_settings(settings_file())
    problems = (*settings.problems, *keymap_of(settings.keys, COMMANDS)[1])
    yield "settings", str(settings_file()) + ("" if settings_file().exists() else " (none yet)")
    for number, problem in enumerate(problems, 1):
        yield f"settings, wrong {number}", str(problem)
    yield "state", str(user_state_path("workbench", appauthor=False))
    yield "kinds of adapter", ", ".join(names())
    for name in workspace.adapters:
        yield f"adapter {name}", _adapter(bench, name)
    yield "terminal", f"{os.environ.get('TERM', 'unset')}, stdout {_kind(has_terminal(sys.stdout))}"
    yield "encoding", sys.stdout.encoding


def _kind(terminal: bool) -> str:
    return "a terminal" if terminal else "no terminal"


def _adapter(bench: Bench, name: str) -> str:
    from workbench.core.errors import WorkbenchError

    spec = bench.workspace.adapters[name]
    try:
        adapter = bench.build((name,))[name]
    except WorkbenchError as error:
        return f"{spec.use}, broken: {error}"
    interpreter = getattr(adapter, "interpreter", None)
    if interpreter is None:
        return spec.use
    path, why = interpreter()
    return f"{spec.use}, under {path} ({why})"
