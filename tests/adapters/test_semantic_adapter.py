"""semantic-router for real, in each version: its own decision, every route's score, and what is unusual."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from process_kit import ask, ask_all
from semantic_kit import ROUTES, app, each_version, hooked, likeness, namespace, semantic

from workbench.adapters.protocol import Answer
from workbench.core.decision import Decision, Outcome, Score, WindowSource
from workbench.core.trial import Status

WORDS = sorted({word for said in ROUTES.values() for text in said for word in text.split()})
TEXTS = ["send an email to ana", "clear the archive now", "nothing of the kind", ""] + [
    " ".join(random.Random(seed).choices([*WORDS, "zebra", "quark"], k=1 + seed % 9)) for seed in range(40)
]

ALONE = """
import json, sys
import semantic_router
from encoders import Hashing

routes, texts, threshold = json.load(sys.stdin)
made = [semantic_router.Route(name=name, utterances=said) for name, said in routes.items()]
if hasattr(semantic_router, "IndexedRouter"):
    router = semantic_router.IndexedRouter(encoder=Hashing(), routes=made, confidence_threshold=threshold)
else:
    encoder = Hashing(score_threshold=threshold)
    router = semantic_router.SemanticRouter(encoder=encoder, routes=made, auto_sync="local")
said = [router(text) for text in texts]
score = "confidence" if hasattr(said[0], "confidence") else "similarity_score"
print("SAID", json.dumps([[choice.name, getattr(choice, score)] for choice in said]))
"""


def alone(folder: Path, python: str, threshold: float | None) -> list[tuple[str | None, float | None]]:
    """What the library chooses where nobody watches."""
    done = subprocess.run(
        [python, "-c", ALONE],
        input=json.dumps([ROUTES, TEXTS, threshold]),
        capture_output=True,
        text=True,
        cwd=folder,
        env={"PYTHONPATH": str(folder), "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PATH": "/usr/bin:/bin"},
        check=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("SAID "))
    return [(name, value) for name, value in json.loads(line[5:])]


def decided(answer: Answer) -> Decision:
    assert answer.status is Status.OK, answer.error
    assert answer.decision is not None
    return answer.decision


def scores_of(decision: Decision) -> dict[str, Score]:
    assert decision.scores is not None
    return {score.route: score for score in decision.scores}


def is_new(folder: Path, python: str) -> bool:
    code = "import importlib.metadata as m; print(m.version('semantic-router'))"
    version = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, cwd=folder, check=True
    ).stdout
    return not version.startswith("0.")


@each_version
async def test_the_decision_is_the_librarys_and_every_route_has_its_true_score(
    tmp_path: Path, python: str
) -> None:
    app(tmp_path)
    told = await ask_all(semantic(tmp_path, python), *TEXTS)
    fired = 0
    for text, answer, (name, value) in zip(TEXTS, told, alone(tmp_path, python, 0.3), strict=True):
        decision = decided(answer)
        assert decision.tools == (() if name is None else (name,)), text
        assert decision.outcome is (Outcome.PASS if name is None else Outcome.FIRE)
        scores = scores_of(decision)
        assert list(scores) == sorted(ROUTES) or list(scores) == list(ROUTES)
        for route, said in ROUTES.items():
            mean = sum(likeness(text, utterance) for utterance in said) / len(said)
            assert scores[route].value == pytest.approx(mean, abs=1e-9)
            assert scores[route].threshold == 0.3
        if name is not None:
            fired += 1
            assert value is None or scores[name].deciding == pytest.approx(value, abs=1e-9)
            assert (scores[name].margin or 0) >= 0
    assert 0 < fired < len(TEXTS)


@each_version
async def test_what_the_top_k_hides_is_said(tmp_path: Path, python: str) -> None:
    app(tmp_path)
    (answer,) = await ask_all(semantic(tmp_path, python, top_k=2), "book a meeting")
    decision = decided(answer)
    assert decision.tools == ("create_event",)
    hidden = [name for name in scores_of(decision) if name not in ("create_event", "send_email")]
    assert decision.note is not None
    assert decision.note.endswith(f"none of the 2 nearest is of {', '.join(hidden)}")
    assert decision.matches is not None
    assert [match.rule for match in decision.matches] == ["create_event: book a meeting"]
    scores = scores_of(decision)
    assert scores["create_event"].used is not None
    assert scores["create_event"].used > scores["create_event"].value
    # 1.1 holds 0 against the threshold for what it did not find, 0.1 nothing at all
    zero = 0.0 if is_new(tmp_path, python) else None
    assert {scores[name].used for name in hidden} == {zero}


@each_version
async def test_a_threshold_that_passes_everything_is_flagged(tmp_path: Path, python: str) -> None:
    app(tmp_path)
    new = is_new(tmp_path, python)
    (none,) = await ask_all(semantic(tmp_path, python, threshold=None), "zebra")
    assert decided(none).flags[0] == "no threshold: every route passes whatever the score"
    assert decided(none).outcome is Outcome.FIRE
    assert {score.margin for score in scores_of(decided(none)).values()} == {None}
    (zero,) = await ask_all(semantic(tmp_path, python, threshold=0.0), "zebra")
    flagged = "a threshold of 0: every route passes whatever the score" in decided(zero).flags
    assert flagged is not new  # to 1.1 it is a threshold like any other
    (sane,) = await ask_all(semantic(tmp_path, python), "zebra")
    assert not [flag for flag in decided(sane).flags if "threshold" in flag]


@each_version
async def test_a_routes_own_threshold_goes_before_the_routers(tmp_path: Path, python: str) -> None:
    app(tmp_path)
    lines = (
        (tmp_path / "routes.yaml")
        .read_text("utf-8")
        .replace("{name: send_email,", "{name: send_email, threshold: 0.99,")
    )
    (tmp_path / "routes.yaml").write_text(lines, "utf-8")
    (answer,) = await ask_all(semantic(tmp_path, python), "send an email to ana")
    decision = decided(answer)
    assert "send_email" not in decision.tools
    assert {name: score.threshold for name, score in scores_of(decision).items()} == {
        name: 0.99 if name == "send_email" else 0.3 for name in ROUTES
    }


@each_version
async def test_an_encoder_that_raises_is_an_error_of_that_turn_alone(tmp_path: Path, python: str) -> None:
    """k2-05: neither a pass nor the end of the run."""
    app(tmp_path)
    one, two = await ask_all(semantic(tmp_path, python), "this is the encoder's end", "book a meeting")
    assert one.status is Status.ERROR
    assert one.error is not None
    assert "more tokens than the encoder takes" in one.error
    assert decided(two).tools == ("create_event",)


@each_version
async def test_an_apps_own_router_is_watched_as_it_is(tmp_path: Path, python: str) -> None:
    app(tmp_path, own=OWN)
    (answer,) = await ask_all(semantic(tmp_path, python, router="own:router"), "wipe it all")
    decision = decided(answer)
    assert decision.tools == ("wipe",)
    assert not (tmp_path / "called").exists()
    if not is_new(tmp_path, python):
        assert "wipe is a dynamic route: its model was not called" in decision.flags
    for wrong, why in (("own:nothing", "a dict was named as the router"), ("own:missing", "AttributeError")):
        (failed,) = await ask_all(semantic(tmp_path, python, router=wrong), "hello")
        assert (failed.status, failed.fatal) == (Status.ERROR, True)
        assert failed.error is not None
        assert failed.error.startswith("cannot load the router: ")
        assert why in failed.error
        assert "(the key `python` names another)" in failed.error


OWN = """
import pathlib

import semantic_router
from encoders import Hashing

nothing = {}
said = {"wipe": ["wipe it all"], "keep": ["keep the rest"]}
if hasattr(semantic_router, "IndexedRouter"):
    made = [semantic_router.Route(name=name, utterances=texts) for name, texts in said.items()]
    router = semantic_router.IndexedRouter(encoder=Hashing(), routes=made, confidence_threshold=0.4)
else:
    from semantic_router.llms import BaseLLM

    class Paid(BaseLLM):
        name: str = "paid"

        def __call__(self, messages, *args, **kwargs):
            pathlib.Path("called").touch()
            return "{}"

    made = [
        semantic_router.Route(
            name=name,
            utterances=texts,
            function_schemas=[{"name": name, "description": "", "signature": "(what: str)", "output": "str"}],
            llm=Paid(name="paid"),
        )
        for name, texts in said.items()
    ]
    encoder = Hashing(score_threshold=0.4)
    router = semantic_router.SemanticRouter(encoder=encoder, routes=made, auto_sync="local")
"""


class TestReading:
    """How much the encoder reads, told by its own tokenizer."""

    TOKENIZED = '''
from types import SimpleNamespace

from encoders import Hashing


class Tokenizer:
    """As those of the library tokenizers: words, the first four of them, between two marks."""

    truncation = {"max_length": 6}

    def encode(self, text):
        spans, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        kept = spans[:4]
        return SimpleNamespace(
            offsets=[(0, 0), *kept, (0, 0)],
            special_tokens_mask=[1, *(0 for _ in kept), 1],
            overflowing=[spans[4:]] if spans[4:] else [],
        )


class Short(Hashing):
    _words = Tokenizer()

    @property
    def tokenizer(self):
        return self._words

    def __call__(self, docs):
        return super().__call__([" ".join(str(doc).split()[:4]) for doc in docs])
'''

    @each_version
    async def test_a_cut_ends_the_window(self, tmp_path: Path, python: str) -> None:
        app(tmp_path, short=self.TOKENIZED)
        texts = ("book a meeting", "one two  three four five book a meeting", "book a meeting with five")
        whole, cut, same = await ask_all(semantic(tmp_path, python, encoder="short:Short"), *texts)
        assert [self.read(answer) for answer in (whole, cut, same)] == [
            (texts[0], WindowSource.REPORTED, ((0, 14),)),
            ("one two  three four", WindowSource.REPORTED, ((0, 19),)),
            ("book a meeting with", WindowSource.REPORTED, ((0, 19),)),
        ]
        assert decided(cut).flags == ("the encoder read 19 of 39 characters, and was cut there",)
        assert decided(whole).flags == ()

    @each_version
    async def test_without_a_tokenizer_the_whole_turn_is_a_guess(self, tmp_path: Path, python: str) -> None:
        app(tmp_path)
        (answer,) = await ask_all(semantic(tmp_path, python), "book a meeting")
        assert self.read(answer) == ("book a meeting", WindowSource.INFERRED, ((0, 14),))
        assert decided(answer).flags == ("its encoder has no tokenizer that can be asked how much it reads",)

    @staticmethod
    def read(answer: Answer) -> Any:
        window = decided(answer).window
        assert window is not None
        return window.text, window.source, window.spans


@each_version
async def test_nothing_is_fetched_and_nothing_sent(tmp_path: Path, python: str) -> None:
    """From the first import on: in a network namespace with nothing in it, each attempt written down."""
    alone, (hooks, file) = namespace(), hooked(tmp_path)
    wrapped = tmp_path / "python"
    wrapped.write_text(f'#!/bin/sh\nexec {" ".join(alone)} {python} "$@"\n', "utf-8")
    wrapped.chmod(0o755)
    app(tmp_path)
    watched = {"PYTHONPATH": str(hooks)}
    (answer,) = await ask_all(semantic(tmp_path, str(wrapped), env=watched), "book a meeting")
    assert decided(answer).tools == ("create_event",)
    assert file.read_text("utf-8") == "started\n"
    if not is_new(tmp_path, python):
        # The watch sees what is to be switched off: LiteLLM, which comes with 0.1, asks for its prices.
        unasked = {**watched, "LITELLM_LOCAL_MODEL_COST_MAP": "False"}
        await ask_all(semantic(tmp_path, str(wrapped), env=unasked), "book a meeting")
        assert "socket.getaddrinfo" in file.read_text("utf-8")


async def test_a_choice_too_near_to_another_is_held_where_the_workspace_says_so(tmp_path: Path) -> None:
    pytest.importorskip("semantic_router", reason="the extra [semantic] is not installed")
    app(tmp_path)
    text = "book a meeting and reply to her message"
    plain, thin, gap = [
        decided((await ask_all(semantic(tmp_path, sys.executable, **more), text))[0])
        for more in ({}, {"min_margin": 0.9}, {"min_gap": 0.9})
    ]
    assert plain.outcome is Outcome.FIRE
    assert (thin.outcome, thin.tools) == (Outcome.HOLD, plain.tools)
    assert thin.note is not None
    assert thin.note.startswith(f"thin: {plain.tools[0]} is ")
    assert gap.outcome is Outcome.HOLD
    assert gap.tools[0] == plain.tools[0]
    assert len(set(gap.tools)) == 2
    assert gap.note is not None
    assert gap.note.startswith(f"ambiguous: {gap.tools[0]} is ")
    assert gap.note.partition(";")[0].endswith(f" above {gap.tools[1]}, less than 0.9")
    assert plain.scores == thin.scores == gap.scores


async def test_a_lone_surrogate_and_control_characters_end_in_an_answer(tmp_path: Path) -> None:
    pytest.importorskip("semantic_router", reason="the extra [semantic] is not installed")
    app(tmp_path)
    adapter = semantic(tmp_path, sys.executable)
    try:
        odd = await ask(adapter, "book \ud800 \x00 \u202e a meeting")
        assert odd.status in (Status.OK, Status.ERROR)
        assert decided(await ask(adapter, "book a meeting")).tools == ("create_event",)
    finally:
        await adapter.close()


def test_the_guests_files_need_nothing_but_the_standard_library() -> None:
    import ast

    from workbench.adapters import process

    folder = Path(process.__file__).parent
    for file in ("semantic_engine.py", "semantic_routers.py", "semantic_reading.py"):
        tree = ast.parse((folder / file).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] in sys.stdlib_module_names
