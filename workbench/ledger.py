"""Account for every character of a request to a language model: who wrote it, and what nobody declared.

One file, standard library only, Python 3.8 and newer: import it, or copy it into your app. Say who writes
what, and each request that is sent becomes one line of JSON, which `workbench lanes ledger` reads::

    client = watch(OpenAI())              # or Anthropic, or a client or session of httpx, requests, aiohttp
    with turn("t-17"):
        with lane("memory") as parts:     # a list; claim("user_text", message) says the same of one text
            parts.append(recalled)
        client.chat.completions.create(...)

The line is a receipt: `{"turn", "request", "unit": "chars", "sent", "owned", "dark", "double", "missing",
"lanes": [{"name", "chars", "start"?, "missing"?, "estimate"?}], "dark_at", ...}`. owned + dark = sent, in
code points; `start` counts in all texts of the body laid end to end. It holds no text. `request` is the id
given to `request()`, else the first 16 hex digits of the sha256 of the body's JSON with sorted keys, no
blanks, and in ASCII, by which a capture of the same request is found. What was not measured is null, never 0,
and `unmeasured` says why. Nothing here raises into your app, or waits for the disk.
"""

from __future__ import annotations

import atexit
import bisect
import collections
import contextlib
import contextvars
import functools
import hashlib
import importlib
import json
import os
import queue
import re
import sys
import threading
import time
import typing
import urllib.parse
import warnings

__all__ = [
    "Account", "Claim", "Piece", "Receipt", "Row", "Sent", "Span", "Twice", "account", "audit", "claim",
    "configure", "flush", "lane", "readable", "request", "turn", "watch",
]  # fmt: skip

_LEAST = 20  # so many characters of a cut text show that it is that text, and no chance
_MOST = 10_000  # claims of one turn, and receipts that wait for the disk
_DEEP = 600  # a path longer than this is deeper than anything that is sent
_MEASURED = ("sent", "owned", "dark", "double", "missing")
_SUMS = ("claimed", "chars", "missing", "double", "unplaced")
_Any = typing.Any
_Tally = typing.Counter[typing.Tuple[str, str]]  # noqa: UP006 (3.8)


class Piece(typing.NamedTuple):
    """One text: `path` like `messages[0].content[1].text`; `part` system, user, assistant, tool or schema."""

    path: str
    text: str
    part: str


class Sent(typing.NamedTuple):
    """What the model can read in a body. `images`: images, audio and files, counted and not measured.
    `elsewhere`: paths of text that the body does not hold, such as an earlier answer by its id."""

    pieces: tuple[Piece, ...]
    images: int = 0
    format: str = "unknown"
    elsewhere: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All texts laid end to end, with nothing between: what offsets count in, in code points."""
        return "".join(piece.text for piece in self.pieces)


class Claim(typing.NamedTuple):
    """A lane wrote this text, or so many characters. `estimate`: what it believed; that decides nothing."""

    lane: str
    text: str | None = None
    chars: int | None = None
    start: int | None = None
    estimate: int | None = None

    @property
    def size(self) -> int:
        return max(0, self.chars or 0) if self.text is None else len(self.text)


class Span(typing.NamedTuple):
    """[start, end) of `Sent.text`, and whose it is. None: dark."""

    start: int
    end: int
    lane: str | None


class Twice(typing.NamedTuple):
    """`owner` has [start, end), and `other` (None: nobody) has it too, or has the same text at `again`."""

    start: int
    end: int
    owner: str
    again: int
    other: str | None


class Row(typing.NamedTuple):
    """A lane: `chars` owned, some `unplaced`; `double` had an owner before; `missing` are not in the body."""

    name: str
    chars: int
    claimed: int
    missing: int
    double: int
    unplaced: int
    estimate: int | None


class Account(typing.NamedTuple):
    """One request settled: owned + dark == sent. `double` counts every further claim of a character.
    `spans` cover the text without a gap; dark ones hold what is `unplaced`. `found`: each claim's place."""

    sent: int
    owned: int
    dark: int
    double: int
    missing: int
    unplaced: int
    lanes: tuple[Row, ...]
    spans: tuple[Span, ...]
    found: tuple[Span, ...]
    doubles: tuple[Twice, ...]
    body: Sent

    @property
    def dark_spans(self) -> tuple[Span, ...]:
        return tuple(span for span in self.spans if span.lane is None)

    def where(self, offset: int) -> str:
        """A character's path in the body, and its place in the text there: `messages[0].content+17`."""
        for piece in self.body.pieces:
            if offset < len(piece.text):
                return f"{piece.path}+{offset}"
            offset -= len(piece.text)
        return f"+{offset}"

    def repeats(self, least: int = 8) -> tuple[Twice, ...]:
        """Where a claimed text of so many characters or more stands once more, whoever has it there."""
        book, starts, twice = _Book(self.body), [span.start for span in self.spans], []
        first = {book.text[span.start : span.end]: span for span in sorted(self.found, reverse=True)}
        for words, (start, end, lane) in first.items():
            again = book.text.find(words) if len(words.strip()) >= least else -1
            while again >= 0:
                if again != start and book.whole(again, again + len(words)):
                    other = self.spans[bisect.bisect_right(starts, again) - 1].lane
                    twice.append(Twice(start, end, lane or "", again, other))
                again = book.text.find(words, again + len(words))
        return tuple(sorted(twice, key=lambda each: (each.start, each.again)))


_KEYS = {
    line.split()[0]: frozenset(line.split()[1:])
    for line in """
system system instructions systemInstruction system_instruction template
user messages contents input prompt suffix
typed tools functions toolConfig response_format text output_config output_format generationConfig \
generation_config
away previous_response_id conversation cachedContent cached_content context
said content parts text thinking reasoning_content reasoning refusal summary queries code logs stdout stderr \
error
given arguments args input response json action
call tool_calls function_call functionCall function custom toolUse executableCode executable_code
answer functionResponse function_response toolResult codeExecutionResult code_execution_result output \
outputs results
titled document search_result web_search_result
media image image_url input_image audio input_audio file input_file video video_url container_upload media \
computer_screenshot image_generation_call
inline inlineData inline_data fileData file_data image video document audio input_audio file image_url \
file_id
shapes parameters input_schema inputSchema parametersJsonSchema parameters_json_schema schema input_examples \
responseSchema response_schema responseJsonSchema response_json_schema response
holds function functionDeclarations function_declarations custom toolSpec tools json_schema format grammar
anthropic system anthropic_version tool_use tool_result thinking
ollama options keep_alive think format raw template
""".strip().splitlines()
}
_ROLES = dict(system="system", developer="system", assistant="assistant", model="assistant")  # noqa: C408
_ROLES.update(tool="tool", function="tool")


def readable(body: _Any) -> Sent:
    """Every text of a request body (parsed JSON) that the model can read, in the order of the body.

    Counted: system text at the top, in blocks, in messages; instructions, template, prompt, suffix; the
    content of messages and of blocks of any type, known or not; thinking, refusals; names and arguments of
    calls; what tools gave back; titles of documents; names, descriptions and schemas of tools, and of the
    JSON that an answer has to be. An object, such as arguments or a schema, is its compact JSON, not escaped
    to ASCII; a string is as it is. Not counted: roles, types, ids, models, settings, `name` of a message,
    cache marks, metadata, predictions, and null or empty text. A body of no known shape is `unknown` and has
    no pieces: nothing is guessed.
    """
    reader, shape = _Reader(), _shape(body)
    for key, value in body.items() if shape != "unknown" else ():
        if key == "prompt" and isinstance(value, dict):  # kept by the provider, with gaps to fill
            reader.elsewhere.append(key)
            for name, filled in _dict(value.get("variables")).items():
                reader.content(f"prompt.variables.{name}", filled, "user")
        elif key in _KEYS["system"] or key in _KEYS["user"]:
            reader.content(key, value, "system" if key in _KEYS["system"] else "user")
        elif key == "format" and isinstance(value, dict):
            reader.text(key, value, "schema")
        elif key in _KEYS["typed"]:
            reader.schema(key, value)
        elif key in _KEYS["away"] and value:
            reader.elsewhere.append(key)
        elif key == "images" and isinstance(value, list):
            reader.images += len(value)
    return Sent(tuple(reader.pieces), reader.images, shape, tuple(reader.elsewhere))


def _shape(body: _Any) -> str:
    if not isinstance(body, dict):
        return "unknown"
    if isinstance(body.get("contents"), (list, dict, str)):
        return "gemini"
    ollama = not _KEYS["ollama"].isdisjoint(body)
    prompt, said = body.get("prompt"), body.get("messages")
    if isinstance(said, list):
        if not {"toolConfig", "inferenceConfig"}.isdisjoint(body):
            return "bedrock"
        inside = [block for one in _dicts(said) for block in _dicts(one.get("content"))]
        marked = (one.get("type") in _KEYS["anthropic"] for one in inside if isinstance(one.get("type"), str))
        if not _KEYS["anthropic"].isdisjoint(body) or any(marked):
            return "anthropic"
        if any("input_schema" in tool for tool in _dicts(body.get("tools"))):
            return "anthropic"
        return "ollama" if ollama or any("images" in one for one in _dicts(said)) else "openai-chat"
    if (
        "previous_response_id" in body
        or isinstance(body.get("input"), (str, list))
        or isinstance(prompt, dict)
    ):
        return "openai-responses"
    if isinstance(prompt, (str, list)):
        return "ollama" if ollama or "system" in body or "context" in body else "openai-completions"
    return "unknown"


def _dict(value: _Any) -> dict[str, _Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: _Any) -> list[dict[str, _Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


class _Reader:
    """Walks a body in its own order, and tells blocks apart by their keys, as types come and go."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.images = 0
        self.elsewhere: list[str] = []

    def text(self, path: str, value: _Any, part: str) -> None:
        try:
            if value is not None and not isinstance(value, str):
                value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            self.pieces += [Piece(path, value, part)] if value else []
        except RecursionError:
            self.elsewhere.append(path)

    def content(self, path: str, value: _Any, part: str) -> None:
        if isinstance(value, str):
            self.text(path, value, part)
        elif len(path) > _DEEP or (isinstance(value, list) and value and isinstance(value[0], int)):  # tokens
            self.elsewhere.append(path)
        elif isinstance(value, dict):
            self.block(path, value, part)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                self.content(f"{path}[{number}]", item, part)

    def block(self, path: str, block: dict[str, _Any], part: str) -> None:
        kind, source, role = str(block.get("type")), block.get("source"), block.get("role")
        if isinstance(role, str):
            part = _ROLES.get(role, "user")
        elif kind.endswith(("_result", "_output")):
            part = "tool"
        elif kind.endswith(("_call", "tool_use", "reasoning")):
            part = "assistant"
        held = _dict(source)
        inner = {"text": "data", "content": "content"}.get(str(held.get("type")))
        media = kind in _KEYS["media"] or any(block.get(key) for key in _KEYS["inline"])
        self.images += media or (bool(held) and inner is None)
        if kind in ("item_reference", "redacted_thinking") or block.get("encrypted_content"):
            self.elsewhere.append(path)
        called = path.rpartition(".")[2] in _KEYS["call"] | _KEYS["answer"]
        called = called or not _KEYS["given"].isdisjoint(block)
        for key, value in block.items():
            at = f"{path}.{key}"
            if key in _KEYS["given"] or (key == "name" and called):
                self.text(at, value, "tool" if key == "response" else part)
            elif key in _KEYS["said"]:
                self.content(at, value, part)
            elif key in _KEYS["call"] or key in _KEYS["answer"]:
                self.content(at, value, "tool" if key in _KEYS["answer"] else "assistant")
            elif inner is not None and key == "source":
                self.content(f"{at}.{inner}", held.get(inner), part)
            elif kind in _KEYS["titled"] and key in ("title", "context", "source") and isinstance(value, str):
                self.text(at, value, part)
            elif key == "tools":
                self.schema(at, value)
            elif key == "images" and isinstance(value, list):
                self.images += len(value)

    def schema(self, path: str, value: _Any, part: str = "schema") -> None:
        for number, item in enumerate(value if isinstance(value, list) else ()):
            self.schema(f"{path}[{number}]", item, part)
        for key, inner in value.items() if isinstance(value, dict) and len(path) < _DEEP else ():
            named = key in ("name", "description", "definition") and isinstance(inner, str)
            if named or key in _KEYS["shapes"]:
                self.text(f"{path}.{key}", inner, part)
            elif key in _KEYS["holds"]:
                self.schema(f"{path}.{key}", inner, part)


class _Book:
    """Who owns which characters: spans that never overlap, in order."""

    def __init__(self, sent: Sent) -> None:
        self.text, self.ends, end = sent.text, [], 0
        self.pieces: dict[str, collections.deque[int]] = {}
        for piece in sent.pieces:
            self.pieces.setdefault(piece.text, collections.deque()).append(end)
            end += len(piece.text)
            self.ends.append(end)
        self.edges = {0, *self.ends}
        self.spans: list[Span] = []
        self.twice: list[Twice] = []
        self.found: list[Span] = []
        self._from: dict[tuple[str, bool, bool], int] = {}

    def whole(self, start: int, end: int) -> bool:
        """Whether one piece holds it all."""
        at = bisect.bisect_right(self.ends, start)
        return at < len(self.ends) and end <= self.ends[at]

    def cuts(self, *edges: int) -> bool:
        """Whether one of these is within a word, in scripts that have spaces."""
        pairs = (self.text[edge - 1 : edge + 1] for edge in edges if edge not in self.edges)
        return any(pair[0].isalnum() and pair[1].isalnum() and max(pair) < "\u0e00" for pair in pairs)

    def over(self, start: int, end: int) -> list[Span]:
        """The spans that own any of it."""
        first = max(0, bisect.bisect_right(self.spans, (start,)) - 1)
        last = bisect.bisect_left(self.spans, (end,))
        return [span for span in self.spans[first:last] if span.end > start]

    def own(self, start: int, end: int, lane: str) -> None:
        """Gives the lane what nobody owns of it; the rest is claimed twice."""
        if start < end:
            self.found.append(Span(start, end, lane))
        for span in [*self.over(start, end), Span(end, end, None)]:
            if start < span.start:
                bisect.insort(self.spans, Span(start, span.start, lane))
            if span.lane is not None:
                first = max(start, span.start)
                self.twice.append(Twice(first, min(end, span.end), span.lane, first, lane))
            start = max(start, span.end)

    def find(self, words: str, uncut: bool = False, taken: bool = False) -> int:
        """Where it stands in one piece, cutting no word, free or owned by somebody; -1 for nowhere."""
        at = self._from.get((words, uncut, taken), 0)
        while True:
            at = self.text.find(words, at)
            over = [] if taken or at < 0 else self.over(at, at + len(words))
            end = at + len(words)
            if at < 0 or (not over and self.whole(at, end) and not (uncut and self.cuts(at, end))):
                break
            at = over[0].end if over else at + 1
        self._from[words, uncut, taken] = at if at >= 0 else len(self.text)
        return at

    def place(self, claim: Claim) -> int | None:
        """How many of its characters are not there, of a text that is there whole."""
        words, bare = claim.text or "", (claim.text or "").strip()
        spelled = (words, json.dumps(words, ensure_ascii=False)[1:-1], json.dumps(words)[1:-1])
        for form in dict.fromkeys((*spelled, bare) if bare else (words,)):
            exact = self.pieces.get(form, ())
            while exact and self.over(exact[0], exact[0] + len(form)):
                exact.popleft()
            at = exact[0] if exact else -1
            for uncut, taken in ((True, False), (False, False), (len(form) < _LEAST, True)):
                at = at if at >= 0 or not form else self.find(form, uncut, taken)
            if at >= 0:
                self.own(at, at + len(form), claim.lane)
                return len(words) - len(bare) if form == bare else 0
        return None if words else 0

    def cut(self, claim: Claim) -> int:
        """How many of its characters are not there, of a text of which head or tail are."""
        words = claim.text or ""
        for head in (True, False):
            low, high = _LEAST - 1, len(words)
            while low < high:
                size = (low + high + 1) // 2
                there = self.find(words[:size] if head else words[-size:]) >= 0
                low, high = (size, high) if there else (low, size - 1)
            if low >= _LEAST:
                at = self.find(words[:low] if head else words[-low:])
                self.own(at, at + low, claim.lane)
                words = words[low:] if head else words[:-low]
        return len(words)


def account(sent: Sent, claims: typing.Iterable[Claim]) -> Account:
    """Holds claims against what is sent: owned + dark == sent, in code points.

    First come claims with a place: `start` with `chars`, or with a text that stands there, which may run
    over several pieces. Then texts, the longest first: in a piece that is just this text, else the first
    place that nobody owns and that cuts no word, else any such place; a text whose every place has an owner
    is double. One that does not stand as it is may stand as in a JSON string, or without blanks round it, or
    cut: head or tail of 20 characters or more, the rest missing. Last the bare counts, the smallest first:
    they own what is left, without a place. Raises AssertionError if the sums do not agree.
    """
    claims, book = list(claims), _Book(sent)
    tally: _Tally = collections.Counter()
    later: list[Claim] = []
    for claim in claims:
        start, words = claim.start, claim.text or ""
        for what in _SUMS:
            tally[claim.lane, what] += claim.size if what == "claimed" else 0
        if start is None or start < 0 or (words and not book.text.startswith(words, start)):
            later.append(claim)
        else:
            there = max(0, min(claim.size, len(book.text) - start))
            book.own(start, start + there, claim.lane)
            tally[claim.lane, "missing"] += claim.size - there
    lost: list[Claim] = []
    for claim in sorted((one for one in later if one.text), key=lambda one: -one.size):
        missing = book.place(claim)
        lost += [claim] if missing is None else []
        tally[claim.lane, "missing"] += missing or 0
    for claim in lost:
        tally[claim.lane, "missing"] += book.cut(claim)
    left = len(book.text) - sum(span.end - span.start for span in book.spans)
    for claim in sorted((one for one in later if one.text is None), key=lambda one: one.size):
        taken = min(left, claim.size)
        left -= taken
        for what in ("chars", "unplaced"):
            tally[claim.lane, what] += taken
        tally[claim.lane, "missing"] += claim.size - taken
    return _settled(sent, claims, book, tally)


def _settled(sent: Sent, claims: list[Claim], book: _Book, tally: _Tally) -> Account:
    spans: list[Span] = []
    for span in [*book.spans, Span(len(book.text), len(book.text), None)]:
        at = spans[-1].end if spans else 0
        spans += [Span(at, span.start, None)] if at < span.start else []
        spans += [span] if span.lane is not None else []
    for claim in claims:
        if claim.estimate is not None:
            tally[claim.lane, "estimate"] += claim.estimate
    for span in book.spans:
        tally[span.lane or "", "chars"] += span.end - span.start
    for twice in book.twice:
        tally[twice.other or "", "double"] += twice.end - twice.start
    names = dict.fromkeys(claim.lane for claim in claims)
    rows = tuple(Row(name, *(tally.get((name, what)) for what in Row._fields[1:])) for name in names)  # type: ignore[arg-type]
    owned, missing, double, unplaced = (sum(tally[name, what] for name in names) for what in _SUMS[1:])
    size = sum(len(piece.text) for piece in sent.pieces)
    dark = sum(span.end - span.start for span in spans if span.lane is None) - unplaced
    if owned + dark != size or dark < 0:
        raise AssertionError(f"the sum does not agree: {owned} owned + {dark} dark, and {size} sent")
    found, twices = tuple(book.found), tuple(book.twice)
    return Account(size, owned, dark, double, missing, unplaced, rows, tuple(spans), found, twices, sent)


class Receipt(typing.Dict[str, _Any]):  # noqa: UP006 (3.8)
    """What was measured of one request; empty if it was no model's. Async hooks can await it."""

    def __await__(self) -> typing.Generator[None, None, Receipt]:
        return self
        yield


class _Scope:
    """Claims of a turn or request. A loose one, of neither, ends with the first claim after a request."""

    def __init__(self, turn: _Any, request: _Any, loose: bool = False, alone: bool = False) -> None:
        self.turn, self.request, self.loose, self.alone, self.used = turn, request, loose, alone, False
        self.claims: collections.deque[Claim] = collections.deque(maxlen=_MOST)


_scope: contextvars.ContextVar[_Scope | None] = contextvars.ContextVar("ledger_scope", default=None)
_told = getattr(sys.modules.get("_workbench_claims"), "ledger", lambda name: None)(__name__)
_set: dict[str, _Any] = {"to": None, "print_dark": None}


def configure(to: _Any = None, print_dark: bool | None = None) -> None:
    """Where receipts go: a path, or a callable that takes a dict; else the variable LANE_RECEIPTS, else
    `receipts.jsonl`. `print_dark`, or the variable LANE_PRINT, prints `sent=9 owned=9 dark=0` each time."""
    _set.update(to=to, print_dark=print_dark)


@contextlib.contextmanager
def _within(scope: _Scope) -> typing.Iterator[None]:
    token = _scope.set(scope)
    try:
        yield
    finally:
        try:
            _scope.reset(token)
        except ValueError:  # ended in another task than it began in
            _scope.set(None)


def turn(turn_id: object = None) -> contextlib.AbstractContextManager[None]:
    """Within it, claims are of this turn, and hold for each of its requests. As with all context variables,
    a task begun within belongs to it, and so does a thread of `asyncio.to_thread`; other threads do not."""
    return _within(_Scope(turn_id, None))


def request(request_id: object = None) -> contextlib.AbstractContextManager[None]:
    """Within it, claims are of this request alone, and the turn's do not hold: for a turn's side calls."""
    outer = _scope.get()
    return _within(_Scope(outer.turn if outer is not None else None, request_id, alone=True))


@contextlib.contextmanager
def lane(name: str, parts: list[_Any] | None = None) -> typing.Iterator[list[_Any]]:
    """A list, or the one that it is given: what is in it at the end, and was not before, is this lane's."""
    parts = [] if parts is None else parts
    before = collections.Counter(map(id, parts if isinstance(parts, list) else ()))
    try:
        yield parts
    finally:
        for item in parts if isinstance(parts, list) else ():
            before[id(item)] -= 1
            if before[id(item)] < 0:
                claim(name, item)


def claim(lane: str, text: _Any, estimate: int | None = None) -> None:
    """This lane wrote this text; or so many characters; or what can be read in a message, a tool, a list."""
    try:
        scope = _scope.get()
        if scope is None or (scope.loose and scope.used):
            scope = _Scope(None, None, loose=True)
            _scope.set(scope)
        if isinstance(text, int):
            made = [Claim(str(lane), chars=text, estimate=estimate)]
        else:  # the estimate is of the whole
            words = enumerate(_texts(text))
            made = [Claim(str(lane), each, estimate=None if at else estimate) for at, each in words]
        scope.claims.extend(made)
        if _told is not None:  # the workbench has this app build a request, and asks who wrote what
            _told(scope, made)
    except Exception:  # whatever it is, the app comes first
        _Writer.lost += 1


def _texts(value: _Any) -> list[str]:
    if hasattr(value, "model_dump"):  # an object of a provider's library
        value = value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, (list, tuple)):
        return [words for item in value for words in _texts(item)]
    if not isinstance(value, dict):
        return [value] if isinstance(value, str) else []
    reader, sent = _Reader(), readable(value)
    said = {"role"}.union(*(_KEYS[each] for each in ("said", "given", "call", "answer"))) - _KEYS["holds"]
    if sent.format == "unknown":
        (reader.schema if said.isdisjoint(value) else reader.content)("", value, "schema")
    return [piece.text for piece in sent.pieces or reader.pieces]


_MODELS = r"(/(completions|messages|responses|chat|generate|converse(-stream)?)|:\w*[gG]enerateContent)/?$"
_OTHERS = r"(/(embed\w*|moderations|rerank|\w+_tokens|images/\w+|audio/\w+)|:(count|embed|batch)\w+)/?$"


def audit(request: _Any, url: object = None) -> Receipt:
    """Measures what is about to be sent, and writes the receipt: a request of httpx (also as its event hook,
    sync or async) or of requests, or a body and its URL. Passed over is what is known to be no prompt: a GET,
    embeddings, counting of tokens; and where a body cannot be read, any path that is not a model's."""
    scope = _scope.get()
    claims = list(scope.claims) if scope is not None else []
    try:
        if isinstance(request, (dict, bytes, bytearray, str)):
            return _measured(url or "", "POST", {}, request, scope, claims)
        try:
            raw = request.content if hasattr(request, "stream") else request.body
        except RuntimeError:  # httpx: to read a stream here would take it from the sender
            raw = None
        return _measured(url or request.url, request.method, request.headers, raw, scope, claims)
    except Exception:  # whatever it is, the app comes first
        _Writer.lost += 1
        return Receipt()


def _measured(
    url: _Any, method: str, headers: _Any, raw: _Any, scope: _Scope | None, claims: list[Claim]
) -> Receipt:
    path = urllib.parse.urlsplit(str(url)).path
    body, why = _parsed(headers, raw)
    why = why or ("a body of no known shape" if _shape(body) == "unknown" else None)
    if method.upper() != "POST" or re.search(_OTHERS, path) or (why and not re.search(_MODELS, path)):
        return Receipt()
    receipt = Receipt(time=time.time(), turn=None, request=None, unit="chars", path=path, format=None)
    receipt.update(dict.fromkeys((*_MEASURED, "images")), lanes=[])
    if scope is not None:
        scope.used = True
        receipt["turn"] = None if scope.turn is None else str(scope.turn)
        receipt["request"] = None if scope.request is None else str(scope.request)
    try:
        if why is None:
            receipt.update(_settle(receipt["request"], body, account(readable(body), claims)))
    except Exception as error:  # sums that do not agree, or a body nested without end
        why = f"{type(error).__name__}: {error}"
    if why is not None:
        receipt["unmeasured"] = why
    for tell in (_keep, _say):
        try:
            tell(receipt)
        except Exception:
            _Writer.lost += 1
    return receipt


def _parsed(headers: _Any, raw: _Any) -> tuple[_Any, str | None]:
    """The JSON that is sent, or why there is none."""
    encoding, kind = headers.get("Content-Encoding"), str(headers.get("Content-Type"))
    if encoding not in (None, "", "identity"):
        return None, f"the body is compressed: {encoding}"
    if "multipart" in kind or not isinstance(raw, (dict, bytes, bytearray, str)):
        return None, "the body is multipart" if "multipart" in kind else "the body is a stream"
    try:
        return raw if isinstance(raw, dict) else json.loads(raw), None
    except (ValueError, RecursionError):
        return None, "the body is no JSON" if raw else "the body is empty"


def _settle(request_id: str | None, body: _Any, settled: Account) -> dict[str, _Any]:
    lanes: list[dict[str, _Any]] = []
    for start, end, name in settled.found:
        lanes.append({"name": name, "chars": end - start, "start": start})
    for row in settled.lanes:
        lanes += [{"name": row.name, "chars": row.unplaced}] if row.unplaced or not row.claimed else []
        lanes += [{"name": row.name, "chars": row.missing, "missing": row.missing}] if row.missing else []
        if row.estimate is not None:
            next(entry for entry in lanes if entry["name"] == row.name)["estimate"] = row.estimate
    sent, spelled = settled.body, json.dumps(body, sort_keys=True, separators=(",", ":"))
    found = {what: getattr(settled, what) for what in _MEASURED}
    found.update(format=sent.format, images=sent.images, lanes=lanes, elsewhere=list(sent.elsewhere))
    found["request"] = request_id or hashlib.sha256(spelled.encode("ascii")).hexdigest()[:16]
    found["dark_at"] = [[settled.where(start), end - start] for start, end, _ in settled.dark_spans[:20]]
    return found


def watch(client: _Any) -> _Any:
    """The same client, its requests measured: OpenAI's, Anthropic's or any that holds one of httpx, one of
    httpx itself, a session of requests, or a session of aiohttp."""
    try:
        inner = getattr(client, "_api_client", None)  # Google's
        inside = [getattr(inner, name, None) for name in ("_httpx_client", "_async_httpx_client")]
        watched = [_attach(each) for each in (client, getattr(client, "_client", None), *inside)]
        if not any(watched):
            warnings.warn(f"the ledger cannot watch a {type(client).__name__}: call audit()", stacklevel=2)
    except Exception:
        _Writer.lost += 1
    return client


def _attach(client: _Any) -> bool:
    hooks = getattr(client, "event_hooks", None)
    if isinstance(hooks, dict):
        calls = hooks.setdefault("request", [])
        calls += [] if audit in calls else [audit]
    elif isinstance(getattr(client, "trace_configs", None), list):
        known = any(hasattr(each, "ledger") for each in client.trace_configs)
        client.trace_configs.extend([] if known else [_trace()])
    elif hasattr(client, "prepare_request"):
        send = getattr(client.send, "ledger", client.send)

        @functools.wraps(send)
        def sending(prepared: _Any, **options: _Any) -> _Any:
            audit(prepared)
            return send(prepared, **options)

        sending.ledger = send  # type: ignore[attr-defined]
        client.send = sending
    else:
        return False
    return True


def _trace() -> _Any:
    """aiohttp's own hooks: the body as it is sent, held against the claims of the moment it began."""
    config = importlib.import_module("aiohttp").TraceConfig()

    async def began(session: _Any, context: _Any, told: _Any) -> None:
        scope = _scope.get()
        context.ledger = [], scope, list(scope.claims) if scope is not None else []

    async def chunk(session: _Any, context: _Any, told: _Any) -> None:
        context.ledger[0].append(told.chunk)

    async def ended(session: _Any, context: _Any, told: _Any) -> None:
        try:
            chunks, scope, claims = context.ledger
            _measured(told.url, told.method, told.headers, b"".join(chunks), scope, claims)
            chunks.clear()  # where it is redirected, the body is sent once more
        except Exception:
            _Writer.lost += 1

    config.on_request_start.append(began)
    config.on_request_chunk_sent.append(chunk)
    for over in (config.on_request_redirect, config.on_request_end, config.on_request_exception):
        over.append(ended)
    config.ledger = True
    config.freeze()
    return config


def flush(seconds: float = 2.0) -> bool:
    """Waits until every receipt so far is written, at most so long. True if they are."""
    end = time.monotonic() + seconds
    while _Writer.lines.unfinished_tasks and time.monotonic() < end:
        time.sleep(0.002)
    return not _Writer.lines.unfinished_tasks


def _keep(receipt: Receipt) -> None:
    to = _set["to"]
    if callable(to):
        to(receipt)
    else:
        path = os.fspath(to or os.environ.get("LANE_RECEIPTS") or "receipts.jsonl")
        _Writer.put(path, json.dumps(receipt, separators=(",", ":"), default=str) + "\n")


def _say(receipt: Receipt) -> None:
    """`sent=120 owned=120 dark=0`, and what else is wrong."""
    if not (os.environ.get("LANE_PRINT") if _set["print_dark"] is None else _set["print_dark"]):
        return
    if receipt["sent"] is None:
        print(f"not measured: {receipt['unmeasured']}")
        return
    line = "sent={sent} owned={owned} dark={dark}".format_map(receipt)
    line += f" double={receipt['double']}" if receipt["double"] else ""
    missing = [entry for entry in receipt["lanes"] if "missing" in entry]
    print(line + "".join(f" missing={entry['missing']}({entry['name']!a})" for entry in missing))


class _Writer:
    """One thread for all files; each line is one write to a file opened for appending."""

    lines: queue.Queue[tuple[str, str]] = queue.Queue(_MOST)
    lost = 0
    _lock = threading.Lock()
    _thread: threading.Thread | None = None

    @classmethod
    def put(cls, path: str, line: str) -> None:
        with cls._lock:
            if cls._thread is None or not cls._thread.is_alive():
                cls._thread = threading.Thread(target=cls._run, name="lane-ledger", daemon=True)
                cls._thread.start()
        try:
            cls.lines.put_nowait((path, line))
        except queue.Full:
            cls.lost += 1

    @classmethod
    def _run(cls) -> None:
        opened: dict[str, int] = {}
        while True:
            path, line = cls.lines.get()
            try:
                if path not in opened:
                    opened[path] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                os.write(opened[path], line.encode("ascii"))
            except OSError:
                cls.lost += 1
            finally:
                cls.lines.task_done()

    @classmethod
    def forget(cls) -> None:
        """In a child of a fork the thread is gone, and what waited is the parent's to write."""
        cls.lines, cls._lock, cls._thread = queue.Queue(_MOST), threading.Lock(), None


atexit.register(flush)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Writer.forget)
