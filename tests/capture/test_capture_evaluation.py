"""The evaluation: from five turns of each shipped envelope, the words of a sixth that was held out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from rendered_turns import rendered

from workbench.capture.capturing import capture
from workbench.capture.draft import Unfit
from workbench.capture.held_out import Verdict, verdict
from workbench.capture.learning import ENOUGH, learn
from workbench.capture.pairing import Pair
from workbench.capture.turns import LogTurn, Place
from workbench.core.envelope import Envelope, unwrap
from workbench.core.transform import apply_to_text
from workbench.files.envelope import load_envelope

FOLDER = Path(__file__).parents[2] / "envelopes"
FORMATS = sorted(FOLDER.glob("*.yaml"))
SEEDS = ("harbour", "orchard", "viaduct")
LEAST_SHARE = 0.95


def outcome(envelope: Envelope, seed: str) -> tuple[str, str]:
    """What comes of one format: recovered, not recovered, wrong; and the template, or why there is none."""
    *captured, held_out = (_turn(envelope, seed, number) for number in range(ENOUGH + 1))
    try:
        learned = learn(captured, envelope.name, None)
    except Unfit as error:
        return "no template", str(error)
    template = learned.envelope.template
    verdicts = Counter(verdict(learned.envelope, pair) for pair in captured)
    if verdicts[Verdict.WRONG] or verdicts[Verdict.CHANGED]:
        return "wrong", template
    found = unwrap(learned.envelope, held_out.wrapped)
    if found is None:
        return "does not fit", template
    return ("recovered" if _same(envelope, found.typed, held_out.typed) else "wrong"), template


def _turn(envelope: Envelope, seed: str, number: int) -> Pair:
    # The first turn shows what the path does to words, which no other turn need show.
    return rendered(envelope, f"{seed} {envelope.name} {number}", number, telling=number == 0)


def _same(envelope: Envelope, found: str, typed: str) -> bool:
    """What the path loses is not asked for."""
    if not envelope.loses:
        return found == typed
    return apply_to_text(envelope.transforms, found) == apply_to_text(envelope.transforms, typed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_words_of_a_turn_that_was_held_out_come_back(seed: str) -> None:
    rows = {path.stem: outcome(load_envelope(path), seed) for path in FORMATS}
    counts = Counter(result for result, _ in rows.values())
    print(f"\n{seed}: {len(rows)} formats, five turns each; {dict(counts)}")
    for name, (result, detail) in rows.items():
        print(f"  {name:24} {result:14} {detail if result != 'recovered' else ''}")
    assert len(rows) >= 40
    assert not [name for name, (result, _) in rows.items() if result == "wrong"]
    assert counts["recovered"] >= LEAST_SHARE * len(rows)


def test_a_log_of_many_forms_is_sorted_out() -> None:
    """Every third format, mixed in one log that names the ingress only: nothing is read as other words."""
    envelopes = [load_envelope(path) for path in FORMATS[::3]]
    turns: list[LogTurn] = []
    for number in range(8):
        for envelope in envelopes:
            pair = _turn(envelope, "medley", number)
            place = Place("medley.jsonl", len(turns) + 1)
            ingress = envelope.ingress.value
            turns.append(LogTurn(place, "columns", typed=pair.typed, wrapped=pair.wrapped, ingress=ingress))
    captured = capture(turns, {})
    results: Counter[str] = Counter()
    for envelope in envelopes:
        held_out = _turn(envelope, "medley", 8)
        found = [unwrap(form.envelope, held_out.wrapped) for form in captured.forms]
        same = [_same(envelope, one.typed, held_out.typed) for one in found if one is not None]
        results["none" if not same else "recovered" if all(same) else "wrong"] += 1
    print(f"\n{len(envelopes)} formats in one log, eight turns each: {dict(results)}")
    assert not results["wrong"]
    assert results["recovered"] >= 0.85 * len(envelopes)
