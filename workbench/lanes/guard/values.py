"""Which string literals an expression can come to: both arms of a ternary, never its condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbench.lanes.guard.tokens import Language, Sort, Token, Tokens

__all__ = ["Literal", "Values", "constants_of", "words_of"]

_COMPARED = frozenset(("==", "===", "!=", "!==", "<=", ">="))
_CONTINUES = frozenset(("?", ":", ".", "?.", "|", "||", "??", "+", "&&", "=>", "::", "="))
_ARMS = frozenset(("||", "??", "|", "?", ":", "=", "=>"))
_JOINED_WORDS = frozenset(("or", "and", "else", "if", "as", "is", "in", "not", "return", "lambda", "await"))
_AFTER_WORDS = frozenset(("else", "as", "satisfies", "or", "and"))
# Calls that hand on the text that they are given.
_WRAPPERS = frozenset(
    (
        "from",
        "Some",
        "Ok",
        "new",
        "String",
        "str",
        "Box",
        "Borrowed",
        "cast",
        "intern",
        "of",
        "freeze",
        "NewType",
    )
)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


@dataclass(frozen=True, slots=True)
class Literal:
    """A string literal as a value. `use`: where it is used by the name of a constant, else its own place."""

    value: str
    token: Token
    use: Token


@dataclass
class Values:
    """Evaluates expressions of one file."""

    tokens: Tokens
    constants: Mapping[str, Token] = field(default_factory=dict)

    def expression(self, start: int) -> list[Literal]:
        """The literals of the expression that begins at a token."""
        return self.between(start, self.end(start))

    def end(self, start: int) -> int:
        """Where an expression ends: at a comma, a semicolon, the bracket round it, or its last line."""
        tokens, at = self.tokens, start
        by_line = tokens.language is not Language.PYTHON or self._round(start) == -1
        while at < len(tokens.all):
            text = tokens.text(at)
            if text in (",", ";", ")", "]", "}"):
                return at
            if by_line and at > start and self._breaks(at):
                return at
            if by_line and at == start and tokens.language is Language.PYTHON and self._is_new_line(at):
                return at
            at = tokens.close(at) + 1 if text in ("(", "[", "{") else at + 1
        return len(tokens.all)

    def between(self, start: int, end: int) -> list[Literal]:
        """The literals of the expression between two tokens, the second not included."""
        return _Walk(self, start, end).found()

    def returned(self, start: int, end: int) -> list[Literal]:
        """The literals behind `return` in a body."""
        found: list[Literal] = []
        for at in range(start, end):
            if self.tokens.text(at) == "return":
                found += self.between(at + 1, min(end, self.end(at + 1)))
        return found

    def arguments(self, opening: int) -> Iterator[tuple[int, int]]:
        """Where each argument of a call begins and ends, from its bracket on."""
        close = self.tokens.close(opening)
        start = at = opening + 1
        while at < close:
            if self.tokens.text(at) == ",":
                yield start, at
                start = at + 1
            at = self.tokens.close(at) + 1 if self.tokens.text(at) in ("(", "[", "{") else at + 1
        if start < close:
            yield start, close

    def _round(self, at: int) -> int:
        return self.tokens.inside[at] if at < len(self.tokens.inside) else -1

    def _is_new_line(self, at: int) -> bool:
        return at > 0 and self.tokens.all[at].line > self.tokens.all[at - 1].last

    def _breaks(self, at: int) -> bool:
        """Whether a statement ends with the line before a token."""
        if not self._is_new_line(at):
            return False
        if self.tokens.language is Language.PYTHON:
            return True
        before, after = self.tokens.text(at - 1), self.tokens.text(at)
        return not (
            before in _CONTINUES or after in _CONTINUES or before in _JOINED_WORDS or after in _AFTER_WORDS
        )


@dataclass
class _Walk:
    values: Values
    at: int
    end: int
    _kept: list[Literal] = field(default_factory=list)
    _arm: int = 0  # where the literals of the arm that is being read begin

    def found(self) -> list[Literal]:
        tokens, start = self.values.tokens, self.at
        while self.at < self.end:
            token, text = tokens.all[self.at], tokens.text(self.at)
            if token.sort is Sort.STRING:
                self._string(start)
            elif text in ("(", "[", "{"):
                self._group(text, start)
            elif token.sort is Sort.WORD:
                self._word(text, start)
            else:
                self._sign(text)
            self.at += 1
        return self._kept

    def _string(self, start: int) -> None:
        tokens, at = self.values.tokens, self.at
        token = tokens.all[at]
        before = tokens.text(at - 1) if at > start else ""
        after = tokens.text(at + 1) if at + 1 < self.end else ""
        beside = tokens.is_string(at - 1) and at > start, tokens.is_string(at + 1) and at + 1 < self.end
        refused = before in _COMPARED or after in _COMPARED or before in ("+", "<", "in", "is", "not", "%")
        if token.value is None or refused or after in ("+", "%", "[", "in") or any(beside):
            return
        self._kept.append(Literal(token.value, token, token))

    def _group(self, bracket: str, start: int) -> None:
        tokens, at = self.values.tokens, self.at
        close = min(tokens.close(at), self.end)
        before = tokens.text(at - 1) if at > start else ""
        if bracket == "{" and before == "=>":
            self._kept += self.values.returned(at + 1, close)
        elif bracket == "{" and tokens.language is Language.RUST and before != "::":
            self._kept += self._arms(at + 1, close)
        elif bracket == "(" and self._hands_on(before, start, close):
            self._kept += self.values.between(at + 1, self.values.end(at + 1))
        self.at = close

    def _hands_on(self, before: str, start: int, close: int) -> bool:
        """Whether what is in round brackets is the value: grouped, or wrapped; not parameters, not a call."""
        tokens, at = self.values.tokens, self.at
        if tokens.text(close + 1) in ("=>", "->") or (at > start and tokens.is_string(at - 1)):
            return False
        return at == start or before in _WRAPPERS or not (before and self._is_callee(at - 1))

    def _is_callee(self, at: int) -> bool:
        tokens = self.values.tokens
        return tokens.text(at) in (")", "]", "}", ">", "!") or (
            tokens.is_word(at) and tokens.text(at) not in _JOINED_WORDS
        )

    def _word(self, text: str, start: int) -> None:
        tokens = self.values.tokens
        if text == "if" and tokens.language is Language.PYTHON:
            self._skip_to("else")
        elif text in ("if", "match") and tokens.language is Language.RUST:
            self._skip_to("{")
            self.at -= 1
        elif text == "and":
            self._forget()
        elif text == "lambda":
            self._skip_to(":")
        elif (constant := self.values.constants.get(text)) is not None:
            before = tokens.text(self.at - 1) if self.at > start else ""
            after = tokens.text(self.at + 1) if self.at + 1 < self.end else ""
            used = {before, after}
            if not used & (_COMPARED | {".", "?.", "::", "(", "[", "{", "+", "in", "is", "!", "<", "%"}):
                self._kept.append(Literal(constant.value or "", constant, tokens.all[self.at]))

    def _sign(self, text: str) -> None:
        if text in ("?", "&&") and self.values.tokens.language is not Language.RUST:
            self._forget()
        elif text == ":":
            self._arm = len(self._kept)
        elif text == "=":
            self._kept.clear()
            self._arm = 0

    def _forget(self) -> None:
        """What was read of this arm is a condition."""
        del self._kept[self._arm :]

    def _skip_to(self, wanted: str) -> None:
        tokens = self.values.tokens
        while self.at < self.end and tokens.text(self.at) != wanted:
            opens = tokens.text(self.at) in ("(", "[", "{")
            self.at = tokens.close(self.at) + 1 if opens else self.at + 1

    def _arms(self, start: int, end: int) -> list[Literal]:
        """A block of Rust: what stands behind each arrow of a match, else its last expression."""
        tokens, at = self.values.tokens, start
        arms: list[Literal] = []
        arrows = False
        last = start
        while at < end:
            text = tokens.text(at)
            if text == "=>":
                arrows = True
                stop = self.values.end(at + 1)
                arms += self.values.between(at + 1, min(stop, end))
                at = stop
            elif text == ";":
                last = at + 1
            at = tokens.close(at) + 1 if text in ("(", "[", "{") else at + 1
        return arms if arrows else self.values.between(last, end)


def constants_of(tokens: Tokens) -> dict[str, Token]:
    """Names that a file gives to one string literal each, and to nothing else."""
    found: dict[str, Token] = {}
    twice: set[str] = set()
    for at in range(1, len(tokens.all) - 1):
        if tokens.text(at) not in ("=", ":=") or not tokens.is_string(at + 1):
            continue
        name = _assigned(tokens, at)
        value = tokens.all[at + 1]
        if name is None or value.value is None or tokens.text(at + 2) in ("+", "%", "[", ".", "?"):
            continue
        if name in found:
            twice.add(name)
        found[name] = value
    return {name: token for name, token in found.items() if name not in twice}


def _assigned(tokens: Tokens, equals: int) -> str | None:
    """The name left of an equals sign, over its type."""
    at = equals - 1
    line = tokens.all[equals].line
    while at >= 0 and tokens.all[at].line == line and tokens.text(at) not in (",", ";", "(", "{", "}", ""):
        if tokens.text(at) in ("const", "let", "var", "static", "mut", "final"):
            return tokens.text(at + 1) if tokens.is_word(at + 1) else None
        if tokens.text(at) == ":" and tokens.is_word(at - 1):
            return tokens.text(at - 1)
        at -= 1
    return tokens.text(equals - 1) if tokens.is_word(equals - 1) and tokens.text(equals - 2) != "." else None


def words_of(name: str) -> list[str]:
    """The words of an identifier, in lower case: `memoryLane`, `MEMORY_LANE` and `memory_lane` are alike."""
    return [word.lower() for word in _CAMEL.findall(name)]
