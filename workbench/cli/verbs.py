"""Parsers of verbs: one is made up only when its verb is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from workbench.cli.exits import Exit
from workbench.cli.options import add_talk
from workbench.cli.streams import say
from workbench.core.text import safe, visible

if TYPE_CHECKING:
    from typing import Any

__all__ = ["Verb", "VerbParser", "add_verbs"]


class Verb(Protocol):
    """A module of the command line: an example of its use, and what it takes.

    One that does something has `act(arguments) -> int`; one without has verbs below it that do.
    """

    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...


class VerbParser(argparse.ArgumentParser):
    """An argument parser whose own errors cannot carry escapes to the terminal.

    `later` adds its arguments, once: when something is parsed, or all of them are asked for.
    """

    later: Callable[[argparse.ArgumentParser], None] | None = None

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        self._make_up()
        return super().parse_known_args(args, namespace)

    def make_up_all(self) -> None:
        """Add the arguments of every verb below as well: for who asks the parser, not the command line."""
        self._make_up()
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    parser.make_up_all()

    def _make_up(self) -> None:
        later, self.later = self.later, None
        if later is not None:
            later(self)

    def error(self, message: str) -> NoReturn:
        say(safe(f"{visible(self.prog)}: {visible(message)}\n{visible(self.prog)} --help says more"))
        raise SystemExit(Exit.USAGE)


def add_verbs(verbs: argparse._SubParsersAction[VerbParser], table: Mapping[str, tuple[str, str]]) -> None:
    """The parsers of verbs, from name to module and summary; modules are imported when asked for."""
    for name, (module, summary) in table.items():
        parser = verbs.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.later = _later(module)


def _later(module: str) -> Callable[[argparse.ArgumentParser], None]:
    def configure(parser: argparse.ArgumentParser) -> None:
        from importlib import import_module

        verb = cast("Verb", import_module(f"workbench.cli.{module}"))
        parser.epilog = f"example:\n{verb.EXAMPLE}"
        add_talk(parser)
        verb.configure(parser)
        if hasattr(verb, "act"):
            parser.set_defaults(act=verb.act)

    return configure
