"""Brings the two halves of a turn together: what was typed, and the text that was made of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from workbench.capture.turns import LogTurn, Place, Who
from workbench.capture.waiting import Waiting

__all__ = ["Pair", "Paired", "pair_turns"]

_TELLING = 8
"""So long are words that do not stand in a text by chance."""
_MOST = 20_000
"""Pairs, and turns that are no pairs, that are held at a time where somebody takes them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One turn with both halves. `together`: other words of the session that came in the same turn."""

    typed: str
    wrapped: str
    place: Place
    ingress: str | None = None
    documents: tuple[str, ...] = ()
    time: float | None = None
    together: tuple[str, ...] = ()


@dataclass(slots=True)
class Paired:
    """All turns of some logs, sorted out. Each turn is in one of the lists, but for a joined half.

    `bare` were handed on as typed. `machine` were written by no user. `wordless` are a user's without
    words. `alone` have one half only: their places, with the half that they have.
    """

    pairs: list[Pair] = field(default_factory=list)
    bare: list[Pair] = field(default_factory=list)
    machine: list[Place] = field(default_factory=list)
    wordless: list[Place] = field(default_factory=list)
    alone: list[tuple[Place, str]] = field(default_factory=list)
    cut: list[Place] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)
    """How many of each list are no longer held."""

    @property
    def turns(self) -> int:
        return sum(map(self.count, (*_LISTS, "alone")))

    def count(self, name: str) -> int:
        """How many there were of a list."""
        return len(getattr(self, name)) + self.taken[name]

    def drop(self) -> None:
        """Holds no whole turn any longer, but counts them."""
        for name in _LISTS:
            self.taken[name] += len(getattr(self, name))
            getattr(self, name).clear()


_LISTS = ("pairs", "bare", "machine", "wordless", "cut")


def pair_turns(turns: Iterable[LogTurn], take: Callable[[list[Pair]], None] | None = None) -> Paired:
    """Halves joined by id, else within their session (or file) by order: the words come before.

    `take` is given the pairs now and then, which are not held any longer then.
    """
    done = Paired()
    typed_only: list[LogTurn] = []
    wrapped_only: list[LogTurn] = []
    for turn in turns:
        if turn.who is not Who.USER:
            done.machine.append(turn.place)
        elif turn.typed is not None and turn.wrapped is not None:
            _settle(done, turn, turn.typed, turn.wrapped)
        elif turn.wrapped is not None:
            wrapped_only.append(_half(turn))
        elif turn.typed is not None:
            typed_only.append(_half(turn))
        else:
            done.alone.append((turn.place, "neither the words nor the text they became"))
        if take is not None and max(len(getattr(done, name)) for name in _LISTS) >= _MOST:
            take(done.pairs)
            done.drop()
    _join(done, typed_only, wrapped_only)
    if take is not None:
        take(done.pairs)
        done.drop()
    return done


def _half(turn: LogTurn) -> LogTurn:
    """What a half is brought together by: it may wait to the end of the log, its history need not."""
    return LogTurn(
        turn.place,
        turn.reader,
        turn.id,
        turn.session,
        turn.time,
        ingress=turn.ingress,
        typed=turn.typed,
        wrapped=turn.wrapped,
        documents=turn.documents,
        truncated=turn.truncated,
    )


def _settle(done: Paired, turn: LogTurn, typed: str, wrapped: str, together: tuple[str, ...] = ()) -> None:
    if not typed.strip():
        done.wordless.append(turn.place)
    elif turn.truncated:
        done.cut.append(turn.place)
    else:
        pair = Pair(typed, wrapped, turn.place, turn.ingress, turn.documents, turn.time, together)
        (done.bare if typed == wrapped else done.pairs).append(pair)


def _join(done: Paired, typed_only: list[LogTurn], wrapped_only: list[LogTurn]) -> None:
    by_id = {turn.id: turn for turn in typed_only if turn.id is not None}
    by_session: defaultdict[str, list[LogTurn]] = defaultdict(list)
    for turn in typed_only:
        by_session[turn.session or ""].append(turn)
    used: set[int] = set()
    waiting = {session: Waiting(turns, used) for session, turns in by_session.items()}
    timed = Waiting([turn for turn in typed_only if turn.time is not None], used)
    for turn in wrapped_only:
        if turn.id is not None and turn.id in by_id:
            earlier = [by_id[turn.id]]
        else:
            of_session = waiting.get(turn.session or "")
            earlier = _went_in(turn, of_session.before(turn) if of_session is not None else [])
            if not earlier and turn.time is not None:
                earlier = _of_no_session(turn, timed.before(turn))
        if not earlier:
            done.alone.append((turn.place, "no typed words go with it"))
            continue
        used.update(map(id, earlier))
        last = earlier[-1]
        together = tuple(one.typed or "" for one in earlier[:-1])
        _settle(done, turn, last.typed or "", turn.wrapped or "", together)
    done.alone += [
        (turn.place, "typed words that reached no router") for turn in typed_only if id(turn) not in used
    ]


def _went_in(turn: LogTurn, earlier: list[LogTurn]) -> list[LogTurn]:
    """The words that went into `turn`: the nearest earlier ones, and those that waited before them."""
    if not earlier:
        return []
    text = turn.wrapped or ""
    batch = [one for one in earlier[:-1] if one.typed and one.typed.strip() and one.typed in text]
    if batch and len(batch[-1].typed or "") >= _TELLING and (earlier[-1].typed or "") not in text:
        return batch  # the nearest wait for a turn that is still to come, or have reached none
    return [*batch, earlier[-1]]


def _of_no_session(turn: LogTurn, earlier: list[LogTurn]) -> list[LogTurn]:
    """Words of another log, where only one of the two names sessions: the nearest that stand in the text."""
    of_any = [one for one in earlier if one.session is None or turn.session is None]
    standing = [
        one for one in of_any if one.typed and one.typed.strip() and one.typed in (turn.wrapped or "")
    ]
    return standing[-1:]
