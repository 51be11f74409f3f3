"""The command line: one parser, one file per verb, nothing imported before it is used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from workbench import __version__
from workbench.cli import info, listing, probe, run, trust
from workbench.cli.exits import Exit
from workbench.cli.streams import discard_stdout, say, secure, show_problems, to_reader
from workbench.core.text import safe, visible, visible_lines

__all__ = ["build_parser", "main"]

_VERBS = (run, probe, listing, info, trust)

_EPILOG = """\
With no verb, the screen opens on the workspace of this folder.

exit codes: 0 as wanted · 1 an error finding · 2 wrong usage or a broken file · 3 an adapter that
never answered · 4 undecided or no verdict · 130 interrupted

example:
  workbench run scenarios/envelope-replay.yaml --adapter held
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose own errors cannot carry escapes to the terminal."""

    def error(self, message: str) -> NoReturn:
        say(safe(f"{visible(self.prog)}: {visible(message)}\n{visible(self.prog)} --help says more"))
        raise SystemExit(Exit.USAGE)


def build_parser() -> argparse.ArgumentParser:
    """The whole parser tree; imports no verb's machinery."""
    shared = _Parser(add_help=False)
    talk = shared.add_argument_group("talk")
    talk.add_argument("--quiet", "-q", action="store_true", default=argparse.SUPPRESS, help="no progress")
    talk.add_argument("--verbose", "-v", action="store_true", default=argparse.SUPPRESS, help="say more")
    talk.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default=argparse.SUPPRESS,
        help="auto: only on a terminal, and never where NO_COLOR is set",
    )
    parser = _Parser(
        prog="workbench",
        description="Replay prompts through agent routers, bare and wrapped, and see what changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
    )
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    parser.add_argument(
        "--print-completion", metavar="SHELL", choices=("bash", "zsh", "tcsh"), help="for your shell"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", parser_class=_Parser)
    for verb in _VERBS:
        sub = verbs.add_parser(
            verb.NAME,
            help=verb.SUMMARY,
            description=verb.SUMMARY[0].upper() + verb.SUMMARY[1:] + ".",
            epilog=f"example:\n{verb.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            parents=[shared],
        )
        verb.configure(sub)
        sub.set_defaults(act=verb.act)
    parser.set_defaults(quiet=False, verbose=False, color="auto", act=None)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point of the command `workbench`; returns the exit code."""
    secure()
    parser = build_parser()
    try:
        arguments = parser.parse_args(argv)
        if arguments.print_completion:
            import shtab

            print(shtab.complete(parser, arguments.print_completion))
            code = int(Exit.OK)
        elif arguments.act is None:
            from workbench.cli import screen

            code = screen.act(arguments)
        else:
            code = arguments.act(arguments)
        with to_reader():
            sys.stdout.flush()
        return int(code)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        discard_stdout()
        return Exit.OK
    except Exception as error:
        from workbench.core.errors import WorkbenchError

        if isinstance(error, WorkbenchError):
            show_problems(error)
            return Exit.USAGE
        import traceback

        for line in visible_lines(traceback.format_exc()):
            say(line)
        say(safe("workbench: this is a fault of the workbench, not of your files; please report it"))
        return Exit.FAULT
