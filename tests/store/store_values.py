"""Values of every stored type, for properties: hostile text among them."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.claims import Claimed, Claims
from workbench.core.decision import Decision, Match, Outcome, Score, ToolCall, Window, WindowSource
from workbench.core.errors import Mark
from workbench.core.exchange import Exchange, Usage
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Expectation, Samples
from workbench.core.trial import Status, Trial
from workbench.core.turn import Attachment, Author, Message, Region, Turn, TypedPiece, bare
from workbench.store.records import NewRun

T = TypeVar("T")

HOSTILE = (
    "",
    "\0",
    "\ud800",
    "\ud83d\ude00",  # two lone surrogates that would read as one emoji
    "\U0001f600",
    "\udcff\x1b]52;c;AAAA\x07[/bold]\u202e\u200b",
    "é".encode().decode("latin-1"),
    "a long one " * 40,
    "\ud800 a long one " * 40,
    "7",
    '{"text":1}',
)

texts = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=30))
maybe_texts = st.none() | texts
counts = st.integers(0, 10_000)
floats = st.floats(allow_nan=False)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | floats | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)
spans = st.tuples(counts, counts)


def tuples(of: st.SearchStrategy[T], size: int = 3) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(of, max_size=size).map(tuple)


calls = st.builds(ToolCall, texts, json_values, maybe_texts)
scores = st.builds(Score, texts, floats, st.none() | floats)
matches = st.builds(Match, texts, maybe_texts, st.none() | counts, st.none() | counts)
windows = st.builds(Window, texts, st.sampled_from(WindowSource), st.none() | tuples(spans), maybe_texts)
decisions = st.builds(
    Decision,
    outcome=st.sampled_from(Outcome),
    calls=tuples(calls),
    windows=st.none() | tuples(windows),
    scores=st.none() | tuples(scores),
    matches=st.none() | tuples(matches),
    note=maybe_texts,
    scanned=maybe_texts,
    flags=tuples(texts),
    raw=maybe_texts,
)
turns = st.builds(
    Turn,
    text=texts,
    typed=texts,
    regions=tuples(st.builds(Region, counts, counts, st.sampled_from(Author))),
    pieces=tuples(st.builds(TypedPiece, counts, counts, counts, counts)),
    attachments=tuples(st.builds(Attachment, texts, texts, texts)),
    messages=tuples(st.builds(Message, texts, texts)),
    made_by_app=st.booleans(),
)
expectations = st.builds(
    Expectation,
    outcome=st.none() | st.sampled_from(Outcome),
    no_calls=st.booleans(),
    tool=maybe_texts,
    arguments=st.none() | json_objects,
    any_of=st.none() | tuples(texts),
    max_rate=st.none() | floats,
    min_rate=st.none() | floats,
    spelled=texts,
)
accepts = st.builds(
    Accept,
    texts,
    texts,
    st.builds(Mark, texts, counts, counts),
    maybe_texts,
    maybe_texts,
    maybe_texts,
    maybe_texts,
)
keys = st.builds(CellKey, texts, texts, texts, texts)
deliveries = st.builds(
    Delivery,
    key=keys,
    typed=texts,
    turn=turns,
    relation=st.sampled_from(Relation),
    expect=st.none() | expectations,
    ingress=maybe_texts,
    document=st.booleans(),
    file=texts,
    line=counts,
    samples=st.none() | st.builds(Samples, counts, floats),
)
claims = st.builds(
    Claims,
    tuples(st.builds(Claimed, texts, maybe_texts, st.none() | counts, st.none() | counts)),
    maybe_texts,
    tuples(texts),
)
usages = st.builds(Usage, st.none() | counts, st.none() | counts, st.none() | counts)
exchanges = st.builds(
    Exchange,
    url=texts,
    sent=texts,
    received=maybe_texts,
    http=st.none() | counts,
    finish=maybe_texts,
    model=maybe_texts,
    fingerprint=maybe_texts,
    usage=st.none() | usages,
    cost=st.none() | floats,
    tries=counts,
    reached=st.none() | st.floats(0, 1),
    claims=st.none() | claims,
)


@st.composite
def trials(draw: st.DrawFn, index: int = 0) -> Trial:
    """As the engine makes them: only one that is ok has a decision."""
    status = draw(st.sampled_from(Status))
    return Trial(
        index=index,
        status=status,
        decision=draw(decisions) if status is Status.OK else None,
        error=draw(maybe_texts),
        raw=draw(maybe_texts),
        log=draw(texts),
        seconds=draw(st.floats(0, 1e6)),
        seed=draw(st.integers(0, 2**31)),
        exchange=draw(st.none() | exchanges),
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[NewRun, dict[CellKey, tuple[Trial, ...]]]:
    """A run before its first trial, and the trials that it is to have."""
    sent = tuple(draw(st.lists(deliveries, min_size=1, max_size=4, unique_by=lambda made: made.key)))
    repeats = {delivery.key: draw(st.integers(0, 3)) for delivery in sent}
    made = {key: tuple(draw(trials(index)) for index in range(count)) for key, count in repeats.items()}
    info = st.builds(AdapterInfo, texts, texts, texts, st.booleans(), st.booleans(), st.booleans())
    new = NewRun(
        plan=draw(st.text("0123456789abcdef", min_size=1)),
        deliveries=sent,
        repeats=repeats,
        adapters=draw(st.dictionaries(texts, info, max_size=2)),
        arguments=draw(json_objects),
        whole=draw(st.frozensets(texts, max_size=3)),
        accept=draw(st.dictionaries(texts, tuples(accepts), max_size=2)),
    )
    return new, made


def a_run(cells: int = 2, repeat: int = 2, plan: str = "p", arm: str = "bare") -> NewRun:
    """A small plain run."""
    sent = tuple(
        Delivery(CellKey("scenario", str(number), arm, "router"), "typed", bare(f"typed {number}"))
        for number in range(1, cells + 1)
    )
    return NewRun(
        plan,
        sent,
        {d.key: repeat for d in sent},
        {"router": AdapterInfo("router", "keyword")},
        {"verb": "run"},
    )


def a_trial(index: int = 0, tool: str = "send_email", window: str = "typed") -> Trial:
    """A plain trial that fired."""
    decision = Decision(
        Outcome.FIRE, (ToolCall(tool, {"to": "a"}),), (Window(window, WindowSource.REPORTED, ((0, 5),)),)
    )
    return Trial(index, Status.OK, decision, log="a line", seconds=0.25, seed=7)
