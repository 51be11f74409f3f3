"""`workbench lanes proxy`: what an app in any language sends, recorded by changing its base URL."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  workbench lanes proxy --upstream https://api.openai.com/v1
  workbench lanes proxy --upstream http://127.0.0.1:11434 --port 8080 --record calls.jsonl
  workbench lanes ledger calls.jsonl

--upstream is what the app's base URL is now; set that to the address which this prints. Naming a host here is
the consent to connect to it: no trusted workspace is needed, and nothing is sent but what the app sends.
Only this machine reaches the proxy. Each call is one line of the recording, an entry of HAR 1.2, without
keys. Ctrl-C ends it once the calls on their way have ended; a second one cuts them off.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upstream", metavar="URL", required=True, help="where the calls go: a base URL")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="listen here (one that is free)")
    parser.add_argument(
        "--record", metavar="FILE", help="add the calls to this file (a new one in .workbench/proxy/)"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text, or json: an object on each line"
    )


def act(arguments: Namespace) -> int:
    import asyncio
    import sys

    from workbench.cli.exits import Exit
    from workbench.cli.lanes_proxy_lines import Lines
    from workbench.lanes.proxy.session import Listener, run_proxy
    from workbench.lanes.proxy.upstream import upstream_of

    _refuse_windows()
    upstream = upstream_of(arguments.upstream)
    path = _recording(arguments.record)
    lines = Lines(sys.stdout, arguments.format, upstream, path, quiet=arguments.quiet)
    listener = Listener(lines.began, lines.call, lines.trouble, lines.ending)
    try:
        outcome = asyncio.run(run_proxy(upstream, path, arguments.port, listener))
    except BaseException:
        lines.close()
        raise
    lines.ended(outcome)
    if outcome.cut:
        return Exit.INTERRUPTED
    return Exit.OK if outcome.recorded >= outcome.calls else Exit.USAGE


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; expected a number from 0 to 65535")
    return int(text)


def _refuse_windows() -> None:
    import sys

    from workbench.core.errors import Problem, UsageError

    if sys.platform == "win32":
        raise UsageError(
            Problem("the proxy does not run on Windows", hint="run it in WSL, which shares its ports")
        )


def _recording(name: str | None) -> Path:
    """The file named, else a new one in the workspace's own folder. Raises WorkbenchError."""
    from datetime import datetime
    from pathlib import Path

    from workbench.core.errors import Mark, Problem, WorkbenchError
    from workbench.files.root import find_root, packaged_root, runs_root
    from workbench.store.schema import make_folder

    if name is not None:
        return Path(name)
    root = find_root(Path.cwd()) or runs_root(packaged_root(), packaged=True)
    folder = make_folder(root) / "proxy"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            Problem(f"cannot be made: {error.strerror or error}", Mark(str(folder)), "use --record FILE")
        ) from None
    stem = datetime.now().strftime("%Y%m%dT%H%M%S")
    tries = (folder / f"{stem}{end}.jsonl" for end in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in tries if not path.exists())
