"""The names of lanes that source code speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from workbench.lanes.guard.tokens import Language, Tokens, language_of, tokens_of
from workbench.lanes.guard.values import Literal, Values, constants_of, words_of
from workbench.lanes.name import is_name, is_plain_name

__all__ = ["NamedLane", "may_name", "names_in", "names_of"]

_NAMES_OF_NAME = frozenset(("name", "id", "key", "label", "kind"))
_TYPES = frozenset(("string", "str", "number", "integer", "text", "boolean", "unknown", "undefined"))
_SETTERS = frozenset(
    ("set", "insert", "put", "add", "attr", "tag", "field", "with", "set_attribute", "setAttribute")
)
_GROWERS = frozenset(("push", "append", "add", "insert", "unshift", "extend", "push_back"))
_LOGS = frozenset(
    ("log", "debug", "info", "warn", "warning", "error", "infow", "debugw", "warnw", "errorw", "with")
)
_LEDGERS = frozenset(("ledger", "lanes", "lane", "workbench", "turn", "request", "wb"))
_DEFINES = frozenset(("def", "fn", "func", "function", "get", "async", "static", "public", "override", "pub"))
_TYPE_WORDS = frozenset(
    (
        "struct",
        "enum",
        "impl",
        "trait",
        "for",
        "class",
        "interface",
        "type",
        "match",
        "if",
        "while",
        "in",
        "mod",
    )
)
_CONDITIONS = frozenset(
    ("if", "elif", "while", "in", "and", "or", "not", "else", "case", "return", "is", "lambda", "?", "assert")
)
_CONSTRUCTORS = frozenset(("new", "create", "of", "from", "named", "get"))


@dataclass(frozen=True, slots=True)
class NamedLane:
    """A name with the line of its literal, the lines from the word `lane` to it, and how it is said.

    `others`: the further literals of a call that could be its lane's name in its place.
    """

    name: str
    line: int
    first: int
    last: int
    others: frozenset[str] = frozenset()


def may_name(data: bytes) -> bool:
    """Whether a file can name a lane at all; quick."""
    low = data.lower()
    return b"lane" in low or b"claim" in low or b"l\0a\0n\0e" in low or b"\0l\0a\0n\0e" in low


def names_of(data: bytes, path: str) -> list[NamedLane]:
    """The names in a file's bytes; none where its ending is of no known language."""
    language = language_of(path)
    if language is None or not may_name(data):
        return []
    return names_in(_decoded(data), language)


def names_in(text: str, language: Language) -> list[NamedLane]:
    """Every name of a lane in a source text, in its order."""
    tokens = tokens_of(text, language)
    finder = _Finder(tokens, Values(tokens, constants_of(tokens)))
    found: dict[tuple[str, int], NamedLane] = {}
    for named in finder.all():
        held = found.get((named.name, named.line))
        # What one pattern takes for certain, another cannot make doubtful.
        if held is None or (held.others and not named.others):
            found[named.name, named.line] = named
    return sorted(found.values(), key=lambda named: (named.line, named.name))


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _is_lane(word: str) -> bool:
    """Whether an identifier is a place for a lane's name: lane, memoryLane, LANE, laneName, lane_id."""
    words = words_of(word)
    return bool(words) and (
        words[-1] == "lane" or (len(words) == 2 and words[0] == "lane" and words[1] in _NAMES_OF_NAME)
    )


@dataclass
class _Finder:
    tokens: Tokens
    values: Values

    def all(self) -> Iterator[NamedLane]:
        tokens = self.tokens
        for at, token in enumerate(tokens.all):
            if tokens.is_string(at):
                if token.value is not None and len(token.value) < 40:
                    yield from self._quoted(at, token.value)
                continue
            word = tokens.text(at)
            if not tokens.is_word(at):
                continue
            words = words_of(word)
            if word in ("claim", "Claim"):
                yield from self._claim(at)
            if not ("lane" in words or "lanes" in words):
                continue
            if _is_lane(word):
                yield from self._key(at, quoted=False)
                yield from self._getter(at)
                yield from self._loop(at)
            if "lane" in words:
                yield from self._call(at, words)
                yield from self._made(at)
            if words[-1] == "lanes":
                yield from self._list(at)
            yield from self._enumerated(at)

    def _quoted(self, at: int, word: str) -> Iterator[NamedLane]:
        """A key that is spelled as a string, `"lane"` or `"lanes"`, also as the index of a mapping."""
        if _is_lane(word):
            yield from self._key(at, quoted=True)
        elif words_of(word)[-1:] == ["lanes"]:
            is_index = self.tokens.text(at - 1) == "[" and self.tokens.text(at + 1) == "]"
            yield from self._list(at + 1 if is_index else at)

    def _key(self, at: int, *, quoted: bool) -> Iterator[NamedLane]:
        """`lane: 'x'`, `lane = "x"`, `"lane": "x"`, `row["lane"] = "x"`.

        Also `set("lane", "x")` and `info(message, "lane", "x")`, where a key's value is the next argument.
        """
        tokens, after = self.tokens, at + 1
        before = tokens.text(at - 1)
        if quoted and tokens.text(after) == "," and self._is_argument(at):
            yield from self._named(at, self.values.expression(after + 1))
            return
        is_index = quoted and before == "[" and tokens.text(after) == "]"
        if is_index or (tokens.text(after) in ("?", "!") and tokens.text(after + 1) == ":"):
            after += 1
        if not quoted and tokens.language is Language.GO:
            while tokens.text(after) in (".", "*") or (tokens.is_word(after) and self._same_line(at, after)):
                after += 1
        sign = tokens.text(after)
        if sign not in (":", "=", ":=", "??=", "||="):
            return
        values_from = after + 1
        if sign == ":" and not quoted:
            if self._in_condition(at):
                return
            if tokens.language is Language.PYTHON or before in (".", "?."):
                assigned = self._assignment(values_from)
                if assigned is None:
                    return
                values_from = assigned
        yield from self._named(at, self.values.expression(values_from))

    def _is_argument(self, at: int) -> bool:
        """Whether a quoted key is one of a call whose next argument is the key's value."""
        tokens, opening = self.tokens, self.tokens.inside[at]
        if opening < 0 or tokens.text(opening) != "(":
            return False
        callee = tokens.text(opening - 1)
        return callee in _SETTERS if opening == at - 1 else callee.lower().removesuffix("context") in _LOGS

    def _same_line(self, at: int, other: int) -> bool:
        return self.tokens.all[at].line == self.tokens.all[other].line

    def _in_condition(self, at: int) -> bool:
        """Whether the colon behind a word belongs to an `if`, a ternary, a case or a lambda."""
        tokens = self.tokens
        while tokens.text(at - 1) in (".", "?.", "::") and at > 1:
            at -= 2
        return tokens.text(at - 1) in _CONDITIONS

    def _assignment(self, start: int) -> int | None:
        """Behind an annotation: where the value begins, if there is one."""
        end = self.values.end(start)
        return next((at + 1 for at in range(start, end) if self.tokens.text(at) == "="), None)

    def _getter(self, at: int) -> Iterator[NamedLane]:
        """`def lane(self): return "x"`, `get lane() { … }`, `fn lane(&self) -> &str { "x" }`."""
        tokens = self.tokens
        if tokens.text(at + 1) != "(":
            return
        body = self._body(at, tokens.close(at + 1) + 1)
        if body is None:
            return
        start, end = body
        found = self.values.returned(start, end)
        if tokens.language is Language.RUST and not found:
            # The block's value, as an expression in brackets would have it.
            found = self.values.between(start - 1, end + 1)
        yield from self._named(at, found)

    def _body(self, at: int, after: int) -> tuple[int, int] | None:
        """The tokens of the body of the function that is defined at a name; None where it is only called."""
        tokens = self.tokens
        before = tokens.text(at - 1)
        if tokens.language is Language.PYTHON:
            if before != "def":
                return None
            column = tokens.all[at - 1].column
            start = after
            while start < len(tokens.all) and tokens.text(start) != ":":
                start += 1
            end = start + 1
            while end < len(tokens.all) and tokens.all[end].column > column:
                end += 1
            return start + 1, end
        defined = before in _DEFINES or (before in ("{", "}", ";") and tokens.language is Language.SCRIPT)
        if not defined and not (before == ")" and tokens.text(tokens.close(at - 1) - 1) == "func"):
            return None
        while after < len(tokens.all) and tokens.text(after) not in ("{", ";", "}", "=", ","):
            after += 1
        return (after + 1, tokens.close(after)) if tokens.text(after) == "{" else None

    def _loop(self, at: int) -> Iterator[NamedLane]:
        """`for lane in ("a", "b")`."""
        opening = at + 2
        if self.tokens.text(at + 1) in ("in", "of") and self.tokens.text(opening) in ("(", "[", "{"):
            yield from self._named(at, self._elements(opening))

    def _claim(self, at: int) -> Iterator[NamedLane]:
        """`claim("x", text)`, of nothing or of a ledger."""
        tokens = self.tokens
        if tokens.text(at + 1) != "(" or tokens.text(at - 1) in _DEFINES:
            return
        if tokens.text(at - 1) in (".", "::") and tokens.text(at - 2).lower() not in _LEDGERS:
            return
        arguments = list(self.values.arguments(at + 1))
        if len(arguments) > 1:
            yield from self._named(at, self.values.between(*arguments[0]))

    def _call(self, at: int, words: list[str]) -> Iterator[NamedLane]:
        """`lane("x")`, `new LaneRecord("x", …)`, `append_turn_receipt_lane(db, turn, "x", n)`."""
        tokens, opening = self.tokens, at + 1
        if tokens.text(opening) in (".", "::") and tokens.text(opening + 1) in _CONSTRUCTORS:
            opening += 2
        if tokens.text(opening) == "!":
            opening += 1
        if tokens.text(opening) != "(" or tokens.text(at - 1) in _DEFINES or self._is_method(at):
            return
        arguments = list(self.values.arguments(opening))
        if words[0] == "lane" and arguments:
            yield from self._named(at, self.values.between(*arguments[0]))
            return
        found = [one for argument in arguments for one in self.values.between(*argument)]
        plain = [one for one in found if is_plain_name(one.value)]
        yield from self._named(at, plain, one_of=True)

    def _is_method(self, at: int) -> bool:
        """Whether a method is defined here, not called: of a class, or behind Go's receiver."""
        tokens = self.tokens
        before, after = tokens.text(at - 1), tokens.close(at + 1) + 1
        if tokens.language is Language.GO:
            return before == ")" and tokens.text(tokens.close(at - 1) - 1) == "func"
        return (
            tokens.language is Language.SCRIPT
            and before in ("{", "}", ";")
            and tokens.text(after) in ("{", ":")
        )

    def _made(self, at: int) -> Iterator[NamedLane]:
        """`LaneRecord { name: "x" }`, `Lane(name="x")`, `new Lane({name: 'x'})`, `a: Lane = {name: 'x'}`."""
        tokens, opening = self.tokens, at + 1
        if tokens.text(at - 1) == ":" and tokens.text(opening) == "=":
            opening += 1
        if tokens.text(opening) == "(":
            yield from self._fields(at, opening)
            if tokens.text(opening + 1) == "{":
                yield from self._fields(at, opening + 1)
        elif tokens.text(opening) == "{" and tokens.text(at - 1) not in _TYPE_WORDS:
            yield from self._fields(at, opening)

    def _fields(self, at: int, opening: int) -> Iterator[NamedLane]:
        """What a field `name` directly inside a bracket holds."""
        tokens = self.tokens
        for key in range(opening + 1, tokens.close(opening)):
            said = tokens.all[key].value if tokens.is_string(key) else tokens.text(key)
            if (
                tokens.inside[key] == opening
                and (said or "").lower() == "name"
                and tokens.text(key + 1) in (":", "=")
            ):
                yield from self._named(key, self.values.expression(key + 2))

    def _list(self, at: int) -> Iterator[NamedLane]:
        """`lanes.push({name: 'x'})`, `lanes = ["a", "b"]`, `lanes: [{name: 'x'}]`."""
        tokens, opening = self.tokens, at + 1
        if (
            tokens.text(opening) in (".", "?.")
            and tokens.text(at + 2) in _GROWERS
            and tokens.text(at + 3) == "("
        ):
            opening = at + 3
        else:
            while (
                opening < len(tokens.all)
                and tokens.text(opening) not in ("=", ":", ":=")
                and opening < at + 2
            ):
                opening += 1
            opening = self._opened(opening)
            if tokens.text(opening) not in ("[", "(", "{"):
                return
        yield from self._named(at, self._elements(opening))
        for inner in range(opening + 1, tokens.close(opening)):
            parent = tokens.inside[inner]
            if tokens.text(inner) in ("{", "(") and parent == opening:
                yield from self._fields(at, inner)

    def _opened(self, sign: int) -> int:
        """The bracket of a list behind its sign, over a type: `= [`, `: Lane[] = [`, `= []Lane{`."""
        tokens, at = self.tokens, sign + 1
        if tokens.text(sign) not in ("=", ":", ":="):
            return len(tokens.all)
        end = self.values.end(at)
        assigned = [one for one in range(at, end) if tokens.text(one) == "="]
        at = assigned[0] + 1 if assigned else at
        while at < end and (
            tokens.text(at) == "&" or (tokens.text(at) == "[" and tokens.close(at) == at + 1)
        ):
            at += 1 if tokens.text(at) == "&" else 2
        if tokens.language is Language.GO and tokens.is_word(at):
            at += 1
        return at + 2 if tokens.text(at) == "vec" and tokens.text(at + 1) == "!" else at

    def _elements(self, opening: int) -> list[Literal]:
        """The literals that are elements of a list, as far as they look like names."""
        found = [one for span in self.values.arguments(opening) for one in self.values.between(*span)]
        return [one for one in found if is_plain_name(one.value)]

    def _enumerated(self, at: int) -> Iterator[NamedLane]:
        """`enum Lane { Memory = "memory" }`, `class Lane(StrEnum): MEMORY = "memory"`."""
        tokens = self.tokens
        before, after = tokens.text(at - 1), tokens.text(at + 1)
        if before == "enum" and after == "{":
            start, end = at + 2, tokens.close(at + 1)
        elif before == "class" and after == "(" and tokens.language is Language.PYTHON:
            bases = range(at + 2, tokens.close(at + 1))
            if not any("enum" in words_of(tokens.text(base)) for base in bases):
                return
            start = end = tokens.close(at + 1) + 2
            while end < len(tokens.all) and tokens.all[end].column > tokens.all[at - 1].column:
                end += 1
        else:
            return
        for member in range(start, end):
            if tokens.is_word(member) and tokens.text(member + 1) == "=" and tokens.is_string(member + 2):
                yield from self._named(member, self.values.expression(member + 2))

    def _named(self, at: int, found: Iterable[Literal], *, one_of: bool = False) -> Iterator[NamedLane]:
        kept = [one for one in found if is_name(one.value) and one.value not in _TYPES]
        names = {one.value for one in kept}
        for one in kept:
            lines = (self.tokens.all[at].line, one.token.line, one.use.line)
            first = min(self.tokens.all[at].line, one.use.line)
            others = frozenset(names - {one.value}) if one_of else frozenset()
            yield NamedLane(one.value, one.use.line, first, max(lines[0], one.use.last), others)
