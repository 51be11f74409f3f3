"""`workbench trust`: let this workspace's adapters start programs."""

from __future__ import annotations

import argparse
from argparse import Namespace

__all__ = ["EXAMPLE", "act", "configure"]

EXAMPLE = """\
  cd my-agent && workbench trust
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: the workspace is the one of this folder."""


def act(arguments: Namespace) -> int:
    from workbench.cli.bench import open_bench
    from workbench.cli.listing import adapter_lines
    from workbench.cli.streams import say
    from workbench.core.text import safe, visible
    from workbench.files.trust import record

    workspace = open_bench().workspace
    if workspace.packaged:
        say(safe("workbench: no workspace here; the packaged one needs no trust"))
        return 0
    for line in adapter_lines(workspace):
        print(line)
    record(workspace)
    root = visible(str(workspace.root))
    say(safe(f"workbench: {root} is trusted until its adapters change"), quiet=arguments.quiet)
    return 0
