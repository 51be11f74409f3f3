"""Parsers of verbs: one is made up only when its verb is asked for."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from workbench.cli.exits import Exit
from workbench.cli.options import add_talk
from workbench.cli.streams import say
from workbench.core.text import safe, visible

if TYPE_CHECKING:
    from typing import Any

__all__ = ["Verb", "VerbParser", "add_verb"]


class Verb(Protocol):
    """A module of the command line: what it is called, what it takes, and what it does."""

    NAME: str
    SUMMARY: str
    EXAMPLE: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def act(self, arguments: Namespace) -> int: ...


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


def add_verb(verbs: argparse._SubParsersAction[VerbParser], verb: Verb) -> VerbParser:
    """The parser of one verb, with how it talks and an example; whoever asked decides who acts on it."""
    parser = verbs.add_parser(
        verb.NAME,
        help=verb.SUMMARY,
        description=verb.SUMMARY[0].upper() + verb.SUMMARY[1:] + ".",
        epilog=f"example:\n{verb.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )

    def later(made: argparse.ArgumentParser) -> None:
        add_talk(made)
        verb.configure(made)

    parser.later = later
    return parser
