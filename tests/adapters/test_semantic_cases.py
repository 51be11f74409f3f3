"""Failures that users of embedding routers reported, on the real library and a real small model."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from command import REPOSITORY, Bench
from process_kit import ask_all
from semantic_model import needs_the_model

from workbench.adapters.protocol import Place
from workbench.adapters.semantic import SemanticAdapter
from workbench.core.decision import Decision, Outcome

pytestmark = needs_the_model

ENCODER = REPOSITORY / "scenarios" / "semantic" / "minilm.py"
ROOMS = {
    "book_room": [
        "reserve a room for Friday night",
        "book me a hotel room",
        "I need a room for two",
        "get us a table and a room",
    ],
    "list_jobs": ["which jobs are running", "show me what is still running", "list the jobs at work"],
}


async def decide(folder: Path, routes: dict[str, list[str]], *texts: str, **options: Any) -> list[Decision]:
    """What is decided of each text, by the real encoder."""
    shutil.copy(ENCODER, folder)
    listed = [{"name": name, "utterances": said} for name, said in routes.items()]
    (folder / "routes.yaml").write_text(json.dumps({"routes": listed}), "utf-8")
    adapter = SemanticAdapter(
        "router",
        Place(folder),
        routes=folder / "routes.yaml",
        encoder="minilm:MiniLM",
        python=sys.executable,
        timeout=120,
        **options,
    )
    answers = await ask_all(adapter, *texts)
    assert [answer.error for answer in answers] == [None] * len(texts)
    return [answer.decision for answer in answers if answer.decision is not None]


async def test_tone_without_topic_passes_and_the_nearest_utterance_is_named(tmp_path: Path) -> None:
    """k2-02: a sentence that shares its tone with the utterances, not what it is about."""
    routes = {
        "politics": ["I love how the minister spoke", "what a disgrace that law is", "I hate the president"],
        "chitchat": ["how is the weather today", "lovely sun out there", "is it raining"],
    }
    soup = "I simply adore how the soup turned out, what a disgrace it was before"
    tone, topic = await decide(tmp_path, routes, soup, "I hate that minister", threshold=0.45)
    assert (tone.outcome, topic.tools) == (Outcome.PASS, ("politics",))
    assert tone.matches is not None
    assert tone.matches[0].rule.startswith("politics: ")
    assert tone.note is not None
    assert tone.note.startswith("nearest utterance 0.")


async def test_thin_words_and_no_words_call_nothing(tmp_path: Path) -> None:
    """k2-06, k2-23, k2-24: a greeting, a mash of keys and nothing at all, beside a request that must fire."""
    texts = ("hi", "👋", " ", "", "qwpdk aslkdj zzxmv", "hello there")
    *thin, work = await decide(
        tmp_path, ROOMS, *texts, "hello there, which jobs are still running?", threshold=0.4
    )
    assert {decision.outcome for decision in thin} == {Outcome.PASS}
    assert work.tools == ("list_jobs",)
    # But for white space, no two of them have the same scores: they are scores, not a confidence.
    vectors = {tuple(score.value for score in decision.scores or ()) for decision in (*thin, work)}
    assert len(vectors) == len(texts)


async def test_a_fire_with_hardly_any_margin_is_held_where_asked(tmp_path: Path) -> None:
    """k2-01, k2-22: score, threshold and margin are told, and what is too near is a hold that says why."""
    text = "get us a room, and show me what jobs there are"
    (plain,) = await decide(tmp_path, ROOMS, text, threshold=0.25)
    assert plain.outcome is Outcome.FIRE
    ranked = sorted(plain.scores or (), key=lambda score: -score.deciding)
    best, second = ranked[0], ranked[1]
    assert best.margin is not None
    (thin,) = await decide(tmp_path, ROOMS, text, threshold=0.25, min_margin=best.margin + 0.01)
    assert (thin.outcome, thin.tools) == (Outcome.HOLD, (best.route,))
    gap = best.deciding - second.deciding
    (near,) = await decide(tmp_path, ROOMS, text, threshold=0.25, min_gap=gap + 0.01)
    assert (near.outcome, near.tools) == (Outcome.HOLD, (best.route, second.route))
    (far,) = await decide(tmp_path, ROOMS, text, threshold=0.25, min_gap=gap - 0.01)
    assert far.outcome is Outcome.FIRE


async def test_a_growing_preamble_ends_in_one_score_for_every_question(tmp_path: Path) -> None:
    """k2-04: where scores stop moving is where the window ends, and the window says so itself."""
    preamble = "You are reading a message that came over the office gateway. It is kept for ninety days. "
    questions = ("how do I switch off the audit log?", "will it rain on Sunday?")
    routes = {
        "audit": ["switch off the audit log", "turn logging off"],
        "rain": ["will it rain", "what is the weather"],
    }
    sweep = (0, 1, 8, 20, 40)
    decided = await decide(
        tmp_path, routes, *(preamble * n + question for n in sweep for question in questions), threshold=0.2
    )
    ends, alike = [], []
    for one, other in zip(decided[::2], decided[1::2], strict=True):
        assert one.window is not None
        assert one.window.spans is not None
        ends.append(one.window.spans[0][1])
        alike.append(one.scores == other.scores)
    assert alike == [False, False, False, True, True]
    assert ends[:3] == [len(preamble * n + questions[0]) for n in sweep[:3]]
    assert ends[3] == ends[4] < len(preamble * 20)
    assert decided[0].tools == ("audit",)
    assert decided[-1].tools == ()


def test_a_negation_that_fires_all_the_same_is_a_finding(bench: Bench) -> None:
    """k2-08: an embedding hardly knows `not`; a minimal pair shows it, the expectation names it."""
    shutil.copy(ENCODER, bench.folder)
    routes = [{"name": "book_room", "utterances": ROOMS["book_room"]}]
    bench.write("routes.yaml", json.dumps({"routes": routes}))
    bench.write(
        "workbench.yaml",
        "adapters:\n  router: {use: semantic-router, routes: routes.yaml, encoder: 'minilm:MiniLM',"
        f" threshold: 0.4, python: {sys.executable}}}\n",
    )
    bench.write(
        "scenarios/negation.yaml",
        "scenario: negation\nenvelopes: []\nprompts:\n"
        "  - {id: please, text: please reserve a room for Friday night, expect: fire book_room}\n"
        "  - {id: do-not, text: please do not reserve a room for Friday night, expect: no calls}\n",
    )
    done = bench("run", "negation", "--trust", "--format", "json", "-q")
    assert done.code == 1, done.said
    wrong = [(f["kind"], f["prompt"]) for f in done.json["findings"] if f["severity"] == "error"]
    assert wrong == [("expectation", "do-not")]
    pair = [cell["decision"]["calls"] for cell in done.json["cells"]]
    assert pair[0] == pair[1]
