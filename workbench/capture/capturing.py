"""Logs in, envelopes out: the whole of `workbench capture` but for its files and its words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from workbench.capture.captured import Captured, Form, Misfit, News
from workbench.capture.chains import cut_at, places
from workbench.capture.doubts import SEVERAL, doubts_of, stands_in_list
from workbench.capture.finding import find_words
from workbench.capture.growing import Wish, grow
from workbench.capture.held_out import Verdict, verdict
from workbench.capture.learning import Learned
from workbench.capture.naming import free_name, ingress_of, ingress_said, name_of_frame
from workbench.capture.pairing import Pair, Paired, pair_turns
from workbench.capture.skeleton import Group, Placed, group, weight_of
from workbench.capture.turns import LogTurn, Skipped
from workbench.core.envelope import Envelope
from workbench.core.transform import Transform

__all__ = ["capture"]

_LOOK = 8
_ALIKE = 8
_CROSS = 200
_LIKE = 0.6
_SLIGHT = 6
_HELD = 20_000
_REFUTED = 20
"""One turn in so many that shows other words is one too many."""


def capture(
    items: Iterable[LogTurn | Skipped], known: Mapping[str, Envelope], *, keep_values: bool = False
) -> Captured:
    """Envelopes of the turns of some logs. `known` are those that there are: they are tried first.

    Of a long log only a part is held at a time: what was learned of one is tried on the next.
    """
    skipped: list[Skipped] = []
    learning = _Learning(known, keep_values)
    paired = pair_turns(_turns(items, skipped), learning.take)
    misfits = learning.misfits
    believed = _not_refuted(learning.believed(), learning.homeless, misfits)
    return _told(paired, [form for form, _ in _named(believed, known)], misfits, skipped)


Formed = list[tuple[Form, list[Pair]]]
"""Forms, each with turns of its own: all, or as many as are held."""


class _Learning:
    """Forms of pairs that come in parts."""

    def __init__(self, known: Mapping[str, Envelope], keep_values: bool) -> None:
        self._known = known
        self._keep_values = keep_values
        self._forms: Formed = []
        self._some: list[Pair] = []
        self._seen = 0
        self.misfits: list[Misfit] = []
        self.homeless: list[Pair] = []

    def take(self, pairs: Sequence[Pair]) -> None:
        rest = self._by_form(pairs)
        placed = _placed(rest, self.misfits, self.homeless)
        by_label: defaultdict[str | None, list[Placed]] = defaultdict(list)
        for one in placed:
            by_label[one.pair.ingress].append(one)
        for label, part in by_label.items():
            wish = Wish(ingress_said(label), self._keep_values)
            self.homeless += _take(part, self._known, wish, self._forms, self.misfits)
        self._seen += len(placed)
        self._some += [one.pair for one in placed[:: max(1, len(placed) // _CROSS)]]
        self._forms = [(form, own[:_HELD]) for form, own in self._forms]
        del self.homeless[_HELD:]

    def believed(self) -> Formed:
        """The forms that turns of others do not speak against."""
        return _believed(self._forms, self._some, self._seen / max(1, len(self._some)), self.misfits)

    def _by_form(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Counts the turns that forms of earlier parts give back; the others."""
        if not self._forms:
            return list(pairs)
        rest: list[Pair] = []
        right: defaultdict[int, list[Pair]] = defaultdict(list)
        for pair in pairs:
            number = None if pair.together else self._form_of(pair)
            if number is None:
                rest.append(pair)
            else:
                right[number].append(pair)
        for number, fitting in right.items():
            form, own = self._forms[number]
            span = _whole_span(form.times, _times(fitting))
            self._forms[number] = (replace(form, turns=form.turns + len(fitting), times=span), own)
        return rest

    def _form_of(self, pair: Pair) -> int | None:
        for number, (form, _) in enumerate(self._forms):
            if form.label == pair.ingress and verdict(form.envelope, pair) is Verdict.RIGHT:
                return number
        return None


def _placed(pairs: Sequence[Pair], misfits: list[Misfit], homeless: list[Pair]) -> list[Placed]:
    """The turns in which the words stand; of the others why not, and those that a path wrote all anew."""
    placed: list[Placed] = []
    lost: list[tuple[Pair, str]] = []
    for pair in pairs:
        found = find_words(pair)
        if pair.together:
            misfits.append(Misfit(pair.place, SEVERAL, pair.ingress))
        elif found.exact:
            placed.append(Placed(pair, found.spans))
        else:
            lost.append((pair, f"the words are not there {_rung(found.rung.value)}: {found.reason}"))
            if found.changed:
                homeless.append(pair)
    cuts = Counter(cut_at(pair) for pair, _ in lost)
    for pair, reason in lost:
        length = cut_at(pair)
        if length is not None and cuts[length] > 1:
            placed.append(Placed(pair, places(((Transform.TRUNCATE, length),), pair)))
        else:
            misfits.append(Misfit(pair.place, reason, pair.ingress))
    return placed


def _rung(value: str) -> str:
    return "as typed" if value == "not found" else f"as typed, only {value}"


def _turns(items: Iterable[LogTurn | Skipped], skipped: list[Skipped]) -> Iterable[LogTurn]:
    for item in items:
        if isinstance(item, Skipped):
            skipped.append(item)
        else:
            yield item


def _take(
    part: Sequence[Placed],
    known: Mapping[str, Envelope],
    wish: Wish,
    forms: list[tuple[Form, list[Pair]]],
    misfits: list[Misfit],
) -> list[Pair]:
    """Sorts the turns of one path into envelopes that are known, those that they give, and neither: these
    are given back.
    """
    label = part[0].pair.ingress
    rest: list[Placed] = []
    was: dict[int, str] = {}
    for one in group(part, _ALIKE) if known else [Group(list(part))]:
        fitted, left = _by_known(one.members, known, label)
        if left and fitted:
            name = fitted[0][0].envelope.name
            grown = _grown_out(one.members, known[name], label, wish)
            if grown is not None:
                forms.append(grown)
                continue
            was.update((id(placed.pair), name) for placed in left)
        forms += fitted
        rest += left
    if not rest:
        return []
    found = grow(rest, wish)
    for learned, pairs in found.forms:
        before = Counter(was[id(pair)] for pair in pairs if id(pair) in was).most_common(1)
        forms.append((_form(learned, pairs, News.NEW, label, before[0][0] if before else None), pairs))
    misfits += [Misfit(pair.place, _why(pair, reason), pair.ingress) for pair, reason in found.rest]
    return [pair for pair, _ in found.rest]


def _by_known(
    members: Sequence[Placed], known: Mapping[str, Envelope], label: str | None
) -> tuple[list[tuple[Form, list[Pair]]], list[Placed]]:
    """The known envelopes that give back turns of a group, and the turns that none gives back."""
    fitted: list[tuple[Form, list[Pair]]] = []
    rest = list(members)
    for name in _fitting([one.pair for one in members], known):
        right = [one.pair for one in rest if verdict(known[name], one.pair) is Verdict.RIGHT]
        if right:
            form = Form(known[name], News.KNOWN, len(right), label=label, times=_times(right))
            fitted.append((form, right))
            taken = set(map(id, right))
            rest = [one for one in rest if id(one.pair) not in taken]
    return fitted, rest


def _grown_out(
    members: Sequence[Placed], known: Envelope, label: str | None, wish: Wish
) -> tuple[Form, list[Pair]] | None:
    """A provisional envelope made anew of all turns, also those that it did not fit; None if that fails."""
    if known.source.status != "provisional":
        return None
    found = grow(members, wish)
    if len(found.forms) != 1 or found.rest:
        return None
    learned, pairs = found.forms[0]
    return _form(learned, pairs, News.GROWN, label, known.name), pairs


def _fitting(pairs: Sequence[Pair], known: Mapping[str, Envelope]) -> list[str]:
    """Known envelopes that give back some of a few turns, those that give back the most first.

    One that nobody captured and that is hardly a frame would take any turn for its own.
    """
    step = max(1, len(pairs) // _LOOK)
    few = [*pairs[: _LOOK // 2], *pairs[::step], *pairs[-_LOOK // 2 :]]
    counts = {
        name: sum(verdict(envelope, pair) is Verdict.RIGHT for pair in few)
        for name, envelope in known.items()
        if envelope.source.status == "captured" or weight_of(envelope) >= _SLIGHT
    }
    fitting = [name for name, count in counts.items() if count]
    return sorted(fitting, key=lambda name: (-counts[name], -len(known[name].template)))


def _form(learned: Learned, pairs: Sequence[Pair], news: News, label: str | None, was: str | None) -> Form:
    envelope = learned.envelope
    if ingress_said(label) is None:
        envelope = replace(envelope, ingress=ingress_of(envelope))
    doubts = (*learned.doubts, *doubts_of(learned, envelope, pairs))
    return Form(
        envelope, news, len(pairs), learned.held_out, learned.folds, doubts, was, label, _times(pairs)
    )


def _why(pair: Pair, reason: str) -> str:
    return f"{SEVERAL}, it seems; {reason}" if stands_in_list(pair) else reason


def _times(pairs: Iterable[Pair]) -> tuple[float, float] | None:
    times = [pair.time for pair in pairs if pair.time is not None]
    return (min(times), max(times)) if times else None


def _whole_span(*spans: tuple[float, float] | None) -> tuple[float, float] | None:
    """From the first to the last of what is known."""
    known = [span for span in spans if span is not None]
    return (min(first for first, _ in known), max(last for _, last in known)) if known else None


def _named(
    forms: Sequence[tuple[Form, list[Pair]]], known: Mapping[str, Envelope]
) -> list[tuple[Form, list[Pair]]]:
    """New forms get a name; one that is like a known envelope is that one, changed."""
    seen = {form.envelope.name for form, _ in forms if form.news is News.KNOWN}
    taken = set(known)
    named: list[tuple[Form, list[Pair]]] = []
    for form, pairs in sorted(forms, key=lambda one: -one[0].turns):
        if form.news is News.KNOWN:
            named.append((form, pairs))
            continue
        was = form.was or _ancestor(form, known, seen)
        news = News.CHANGED if was and form.news is News.NEW else form.news
        if news is News.GROWN and was:
            name = was
        else:
            name = free_name(was or name_of_frame(form.envelope, form.label), taken)
            taken.add(name)
        named.append((replace(form, envelope=replace(form.envelope, name=name), news=news, was=was), pairs))
    return _joined(named)


def _ancestor(form: Form, known: Mapping[str, Envelope], seen: set[str]) -> str | None:
    """The known envelope that no turn of these logs has any more, and that is the most like this one."""
    likeness = {
        name: SequenceMatcher(None, envelope.template, form.envelope.template, autojunk=False).ratio()
        for name, envelope in known.items()
        if name not in seen
    }
    best = max(likeness, key=lambda name: likeness[name], default=None)
    return best if best is not None and likeness[best] >= _LIKE else None


def _joined(forms: Sequence[tuple[Form, list[Pair]]]) -> list[tuple[Form, list[Pair]]]:
    """One form for each known envelope, though several groups have had it."""
    joined: dict[str, tuple[Form, list[Pair]]] = {}
    for form, pairs in forms:
        name = form.envelope.name
        if name not in joined:
            joined[name] = (form, list(pairs))
            continue
        before, had = joined[name]
        span = _whole_span(before.times, form.times)
        turns = before.turns + form.turns
        joined[name] = (replace(before, turns=turns, times=span), [*had, *pairs])
    return list(joined.values())


def _believed(
    forms: Sequence[tuple[Form, list[Pair]]], some: Sequence[Pair], share: float, misfits: list[Misfit]
) -> Formed:
    """Adds what a new envelope makes of turns that are not its own; without those that it mostly misreads.

    `some` are a few of all turns, one of `share`.
    """
    believed: Formed = []
    for form, own in forms:
        ours = set(map(id, own))
        others = [] if form.news is News.KNOWN else [pair for pair in some if id(pair) not in ours]
        misread = round(sum(verdict(form.envelope, pair) is Verdict.WRONG for pair in others) * share)
        if misread and (misread >= form.turns or weight_of(form.envelope) < _SLIGHT):
            reason = f"its frame is so slight that it would also read {misread} turns of other forms, wrongly"
            misfits += [Misfit(pair.place, reason, pair.ingress) for pair in own]
            continue
        if misread:
            doubt = f"it would also read {misread} turns of other forms, with other words than were typed"
            form = replace(form, doubts=(*form.doubts, doubt))
        believed.append((form, own))
    return believed


def _not_refuted(forms: Formed, homeless: Sequence[Pair], misfits: list[Misfit]) -> Formed:
    """Without new forms that read turns of the same path as other words, where no form reads those rightly:
    turns that have a part which these lack, or words that the path rewrites and no transform gives back.
    """
    kept: Formed = []
    for form, own in forms:
        of_path = [] if form.news is News.KNOWN else [pair for pair in homeless if pair.ingress == form.label]
        against = sum(verdict(form.envelope, pair) is Verdict.WRONG for pair in of_path)
        if against and against * _REFUTED >= form.turns:
            reason = (
                f"what they give would read {against} other turns of this path as words that nobody typed"
            )
            misfits += [Misfit(pair.place, reason, pair.ingress) for pair in own]
            continue
        if against:
            doubt = f"{against} other turns of this path would be read as words that nobody typed"
            form = replace(form, doubts=(*form.doubts, doubt))
        kept.append((form, own))
    return kept


def _told(
    paired: Paired, forms: Sequence[Form], misfits: Sequence[Misfit], skipped: Sequence[Skipped]
) -> Captured:
    return Captured(
        tuple(forms),
        tuple(sorted(misfits, key=lambda misfit: misfit.place)),
        paired.turns,
        paired.count("bare"),
        paired.count("machine"),
        paired.count("wordless"),
        paired.count("cut"),
        Counter(half for _, half in paired.alone),
        tuple(skipped),
    )
