"""Source text as words, strings and signs, without its comments: enough to find names in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath

from workbench.lanes.syntax import language as syntax

__all__ = ["ENDINGS", "Language", "Sort", "Token", "Tokens", "language_of", "tokens_of"]


class Language(StrEnum):
    PYTHON = "python"
    SCRIPT = "script"  # TypeScript and JavaScript
    RUST = "rust"
    GO = "go"


_GRAMMARS = {
    syntax.Language.PYTHON: Language.PYTHON,
    syntax.Language.JAVASCRIPT: Language.SCRIPT,
    syntax.Language.TYPESCRIPT: Language.SCRIPT,
    syntax.Language.TSX: Language.SCRIPT,
    syntax.Language.RUST: Language.RUST,
    syntax.Language.GO: Language.GO,
}

ENDINGS = {ending.removeprefix("."): _GRAMMARS[parsed] for ending, parsed in syntax.ENDINGS.items()}
"""Without their dot. Declarations of types name lanes too, though they write nothing."""


class Sort(StrEnum):
    WORD = "word"
    STRING = "string"
    NUMBER = "number"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """`value`: what a string literal holds; None for other sorts, and for a string that code fills in."""

    sort: Sort
    text: str
    line: int
    last: int
    column: int
    value: str | None = None


@dataclass
class Tokens:
    """The tokens of one file. `pairs`: the other bracket of each; `inside`: the bracket round each, or -1."""

    language: Language
    all: list[Token]
    pairs: dict[int, int] = field(default_factory=dict)
    inside: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        opened: list[int] = []
        for at, token in enumerate(self.all):
            closes = token.sort is Sort.SIGN and token.text in _CLOSERS
            if closes and any(self.all[one].text == _CLOSERS[token.text] for one in opened[-8:]):
                while self.all[opened[-1]].text != _CLOSERS[token.text]:
                    opened.pop()
                opener = opened.pop()
                self.pairs[opener], self.pairs[at] = at, opener
            self.inside.append(opened[-1] if opened else -1)
            if token.sort is Sort.SIGN and token.text in _OPENERS:
                opened.append(at)

    def text(self, at: int) -> str:
        """A word or sign; "" for a string or a number, and past either end."""
        if not 0 <= at < len(self.all) or self.all[at].sort in (Sort.STRING, Sort.NUMBER):
            return ""
        return self.all[at].text

    def close(self, at: int) -> int:
        """The bracket that closes the one at `at`; the end where none does."""
        return self.pairs.get(at, len(self.all))

    def is_word(self, at: int) -> bool:
        return 0 <= at < len(self.all) and self.all[at].sort is Sort.WORD

    def is_string(self, at: int) -> bool:
        return 0 <= at < len(self.all) and self.all[at].sort is Sort.STRING


_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = {closer: opener for opener, closer in _OPENERS.items()}

_WORD = r"(?P<word>[^\W\d]\w*|\$\w*)"
_NUMBER = r"(?P<number>\d[\w.]*)"
_SIGN = r"(?P<sign>===|!==|\?\?=|\|\|=|&&=|\.\.\.|\?\?|\?\.|\|\||&&|==|!=|=>|->|:=|::|\+=|<=|>=|\*\*|\S)"
_SINGLE = r"""'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*\""""
_LINE_COMMENT = r"//[^\n]*"
_BLOCK_COMMENT = r"/\*[\s\S]*?(?:\*/|\Z)"

_PATTERNS = {
    Language.PYTHON: (
        r"#[^\n]*|\\\r?\n",
        r"[rRbBuUfFtT]{0,3}(?:\"\"\"(?:\\[\s\S]|[^\\])*?\"\"\"|'''(?:\\[\s\S]|[^\\])*?'''|" + _SINGLE + ")",
    ),
    Language.SCRIPT: (f"{_LINE_COMMENT}|{_BLOCK_COMMENT}", _SINGLE),
    Language.RUST: (
        f"{_LINE_COMMENT}|(?P<nested>/\\*)|'(?:\\\\[^\\n]+?|[^\\\\'\\n])'|'[^\\W\\d]\\w*",
        r"""[bc]?r(?P<hashes>\#*)"[\s\S]*?"(?P=hashes)|[bc]?"(?:\\[\s\S]|[^"\\])*\"""",
    ),
    Language.GO: (
        f"{_LINE_COMMENT}|{_BLOCK_COMMENT}|'(?:\\\\[^\\n]+?|[^\\\\'\\n])'",
        r"`[^`]*`|" + r'"(?:\\.|[^"\\\n])*"',
    ),
}
_RULES = {
    language: re.compile(rf"(?P<none>{none})|(?P<string>{string})|{_WORD}|{_NUMBER}|{_SIGN}")
    for language, (none, string) in _PATTERNS.items()
}
_NESTED = re.compile(r"/\*|\*/")
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_OPERATOR_WORDS = frozenset(
    ("return", "typeof", "case", "in", "of", "void", "delete", "do", "else", "throw", "await", "yield")
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|([\s\S]))")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_PREFIX = re.compile(r"[A-Za-z]*")


def language_of(path: str) -> Language | None:
    """By the ending of a file's name; None where it is none of the five."""
    return ENDINGS.get(PurePath(path).suffix[1:].lower())


def tokens_of(text: str, language: Language) -> Tokens:
    """The tokens of a file. What cannot be read, such as an open string, is passed over sign by sign."""
    reader = _Reader(text, language)
    return Tokens(language, list(reader.read(0, len(text))))


@dataclass
class _Reader:
    source: str
    language: Language
    previous: Token | None = None

    def __post_init__(self) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", self.source))]

    def read(self, position: int, end: int) -> Iterator[Token]:
        rule = _RULES[self.language]
        while position < end:
            char = self.source[position]
            if char.isspace():
                position += 1
                continue
            if self.language is Language.SCRIPT:
                if char == "`":
                    position = yield from self._template(position, end)
                    continue
                if char == "/" and (skipped := self._regex(position)):
                    position = skipped
                    continue
            match = rule.match(self.source, position, end)
            if match is None:
                position += 1
                continue
            if match.lastgroup == "nested" or match.groupdict().get("nested"):
                position = self._after_nested(match.end())
                continue
            position = match.end()
            if match["none"] is None:
                yield self._token(match)

    def _token(self, match: re.Match[str]) -> Token:
        sort = next(sort for sort in Sort if match[sort.value] is not None)
        value = _value(match[0], self.language) if sort is Sort.STRING else None
        return self._made(sort, match.start(), match.end(), value)

    def _made(self, sort: Sort, start: int, end: int, value: str | None = None) -> Token:
        line, last = bisect_right(self._starts, start), bisect_right(self._starts, end - 1)
        column = start - self._starts[line - 1] + 1
        self.previous = Token(sort, self.source[start:end], line, last, column, value)
        return self.previous

    def _template(self, start: int, end: int) -> Generator[Token, None, int]:
        """A template string; the code inside it follows as if in parentheses. Returns where it ends."""
        position = start + 1
        holes: list[tuple[int, int]] = []
        while position < end and self.source[position] != "`":
            if self.source[position] == "\\":
                position += 2
            elif self.source.startswith("${", position):
                close = self._hole_end(position + 2, end)
                holes.append((position + 1, close))
                position = close + 1
            else:
                position += 1
        position = min(position + 1, end)
        value = None if holes else _unescaped(self.source[start + 1 : position - 1])
        yield self._made(Sort.STRING, start, position, value)
        for opening, closing in holes:
            yield self._sign("(", opening)
            yield from self.read(opening + 1, closing)
            yield self._sign(")", min(closing, len(self.source) - 1))
        return position

    def _sign(self, text: str, at: int) -> Token:
        line = bisect_right(self._starts, at)
        self.previous = Token(Sort.SIGN, text, line, line, at - self._starts[line - 1] + 1)
        return self.previous

    def _hole_end(self, position: int, end: int) -> int:
        """Where the `}` of a hole in a template stands, over strings and templates inside it."""
        depth = 1
        quoted = re.compile(_SINGLE)
        while position < end:
            char = self.source[position]
            if char in "'\"" and (match := quoted.match(self.source, position, end)):
                position = match.end()
                continue
            if char == "`":
                position = self._template_end(position, end)
                continue
            depth += {"{": 1, "}": -1}.get(char, 0)
            if depth == 0:
                return position
            position += 1
        return end

    def _template_end(self, start: int, end: int) -> int:
        position = start + 1
        while position < end and self.source[position] != "`":
            if self.source.startswith("${", position):
                position = self._hole_end(position + 2, end) + 1
            else:
                position += 2 if self.source[position] == "\\" else 1
        return position + 1

    def _regex(self, position: int) -> int | None:
        """Where a regular expression ends, if one may begin here."""
        if self.previous is not None:
            text = self.previous.text
            if self.previous.sort is Sort.WORD and text not in _OPERATOR_WORDS:
                return None
            if self.previous.sort in (Sort.STRING, Sort.NUMBER) or text in (")", "]", "}", "<"):
                return None
        match = _REGEX.match(self.source, position)
        return match.end() if match else None

    def _after_nested(self, position: int) -> int:
        depth = 1
        for match in _NESTED.finditer(self.source, position):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        return len(self.source)


def _value(literal: str, language: Language) -> str | None:
    """What a literal holds; None where code fills it in."""
    raw = False
    if language in (Language.PYTHON, Language.RUST):
        prefix = _PREFIX.match(literal)
        letters = prefix[0].lower() if prefix else ""
        literal = literal[len(letters) :].strip("#")
        raw = "r" in letters
        filled = {"f", "t"} & set(letters) if language is Language.PYTHON else ()
        if filled and re.search(r"\{(?!\{)", literal.replace("{{", "")):
            return None
    width = 3 if language is Language.PYTHON and literal[:3] in ('"""', "'''") and len(literal) >= 6 else 1
    held = literal[width:-width]
    return held if raw or literal[:1] == "`" else _unescaped(held)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else ""
    return "" if match[4] else _PLAIN_ESCAPES.get(match[5], match[5])
