"""The command line: nothing is imported before it is used, not even the parser."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from workbench.cli.exits import Exit
from workbench.cli.streams import discard_stdout, masked, say, secure, show_problems, to_reader
from workbench.core.text import safe, visible_lines

__all__ = ["main"]


def _open_screen() -> int:
    """Without a parser, where there is nothing to parse: the screen is to open at once."""
    from workbench.cli import screen

    return screen.act()


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point of the command `workbench`; returns the exit code."""
    secure()
    try:
        if not (sys.argv[1:] if argv is None else argv):
            return _open_screen()
        from workbench.cli.parser import build_parser

        parser = build_parser()
        arguments = parser.parse_args(argv)
        if arguments.print_completion:
            import shtab

            parser.make_up_all()
            print(shtab.complete(parser, arguments.print_completion))
            code = int(Exit.OK)
        elif arguments.act is None:
            code = _open_screen()
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

        for line in visible_lines(masked(traceback.format_exc())):
            say(line)
        say(safe("workbench: this is a fault of the workbench, not of your files; please report it"))
        return Exit.FAULT
