"""Recipes around services, against stand-ins that answer in the shape that is documented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gallery_kit import Recipe, cell, cells, decided, kinds, recipe, served

INTENTS = {
    "book_room": ("reserve", "room", "book"),
    "cancel_booking": ("cancel", "booking"),
    "greet": ("hello", "hi", "morning"),
}


def parsed(asked: dict[str, Any]) -> dict[str, Any]:
    """Rasa's answer to `POST /model/parse`: the best intent, every intent's rank, entities, the text."""
    words = asked["text"].lower().replace(",", " ").split()
    found = {name: sum(word in words for word in known) for name, known in INTENTS.items()}
    total = sum(found.values())
    ranking = [{"name": name, "confidence": count / total if total else 0.0} for name, count in found.items()]
    ranking.sort(key=lambda intent: -float(str(intent["confidence"])))
    best = ranking[0] if total else {"name": "nlu_fallback", "confidence": 0.3}
    return {
        "text": asked["text"],
        "intent": best,
        "entities": [],
        "text_tokens": [],
        "intent_ranking": ([] if total else [best]) + ranking,
        "response_selector": {"all_retrieval_intents": [], "default": {"response": {"responses": None}}},
    }


def evaluated(asked: dict[str, Any]) -> dict[str, Any]:
    """vLLM Semantic Router's answer to `POST /api/v1/eval`; without a match the name is empty."""
    matched = [word for word in ("python", "function", "algorithm") if word in asked["text"].lower()]
    answer: dict[str, Any] = {
        "original_text": asked["text"],
        "decision_result": {
            "decision_name": "route_code" if matched else "",
            "algorithm": "static",
            "used_signals": {"keywords": ["code"]} if matched else {},
            "matched_signals": {"keywords": ["code"]} if matched else {},
            "unmatched_signals": {} if matched else {"keywords": ["code"]},
        },
        "metrics": {"keyword": {"execution_time_ms": 0.1, "confidence": float(bool(matched))}},
        "signal_confidences": {"keyword:code": len(matched) / 3},
    }
    if matched:
        answer |= {"recommended_models": ["coder"], "routing_decision": "route_code"}
    return answer


def pointed(made: Recipe, port: str, address: str) -> Recipe:
    """The recipe with the stand-in in the place of the service."""
    file = made.bench.folder / "workbench.yaml"
    text = file.read_text("utf-8")
    assert port in text
    file.write_text(text.replace(port, address), "utf-8")
    return made


class TestRasa:
    def test_what_it_is_asked_and_how_its_answer_is_read(self, tmp_path: Path) -> None:
        with served("/model/parse", parsed) as (address, asked):
            done = pointed(recipe("rasa", tmp_path), "http://127.0.0.1:5005", address).run()
        assert done.code == 0, "the stand-in keeps every intent on the channel"
        assert all(set(body) == {"text"} for body in asked)
        assert decided(done, prompt="book", arm="bare") == ("fire", ["book_room"])
        assert decided(done, prompt="greet", arm="bare")[0] == "pass"
        assert decided(done, prompt="nonsense", arm="bare")[0] == "pass"
        seen = cell(done, prompt="book", arm="channel")
        assert seen["window"]["source"] == "reported"
        assert next(one["route"] for one in seen["scores"]) == "book_room"
        assert kinds(done, prompt="book", arm="channel") == {"leak"}

    def test_an_intent_that_nobody_spoke_of_is_no_guess(self, tmp_path: Path) -> None:
        """k2-10: an answer that cannot be told is malformed, not the first class; what came is kept."""

        def strange(asked: dict[str, Any]) -> dict[str, Any]:
            return {**parsed(asked), "intent": {"name": "order_pizza", "confidence": 0.9}}

        with served("/model/parse", strange) as (address, _):
            made = pointed(recipe("rasa", tmp_path), "http://127.0.0.1:5005", address)
            done = made.bench("run", "--trust", "--no-save", "-q", "--format", "json")
        assert done.code == 3
        assert {tuple(one["statuses"]) for one in cells(done)} == {("malformed",)}
        evidence = done.json["findings"][0]["evidence"]
        assert "order_pizza" in evidence["raw"]

    def test_an_answer_that_is_no_json(self, tmp_path: Path) -> None:
        """k2-10: the reply is kept, so that a default branch can be told from a decision."""
        with served("/model/parse", lambda asked: "1 recipes, I think") as (address, _):
            made = pointed(recipe("rasa", tmp_path), "http://127.0.0.1:5005", address)
            done = made.bench("run", "intents#book", "--trust", "--no-save", "-q", "--format", "json")
        assert done.code == 3
        assert {one["decision"] for one in cells(done)} == {None}
        assert "1 recipes" in done.json["findings"][0]["evidence"]["raw"]

    def test_without_a_server_no_cell_has_an_answer(self, tmp_path: Path) -> None:
        made = pointed(recipe("rasa", tmp_path), "http://127.0.0.1:5005", "http://127.0.0.1:9")
        done = made.bench("run", "intents#book", "--trust", "--no-save", "-q", "--format", "json")
        assert done.code == 3
        assert {tuple(one["statuses"]) for one in cells(done)} == {("error",)}


class TestVllmSemanticRouter:
    def run(self, tmp_path: Path, *asked: str) -> Any:
        with served("/api/v1/eval", evaluated) as (address, _):
            made = pointed(recipe("vllm-semantic-router", tmp_path), "http://127.0.0.1:8080", address)
            return made.run(*asked)

    def test_a_page_of_code_moves_a_greeting(self, tmp_path: Path) -> None:
        done = self.run(tmp_path)
        assert decided(done, prompt="code", arm="bare") == ("fire", ["route_code"])
        assert decided(done, prompt="chat", arm="bare") == ("pass", [])
        assert decided(done, prompt="chat-with-page", arm="attached") == ("fire", ["route_code"])
        assert {"drift", "expectation", "leak"} <= kinds(done, prompt="chat-with-page", arm="attached")
        assert "drift" not in kinds(done, prompt="chat", arm="channel")

    def test_scores_and_window_are_the_services_own(self, tmp_path: Path) -> None:
        seen = cell(self.run(tmp_path, "decisions#code"), arm="bare")
        assert seen["scores"] == [{"route": "keyword:code", "value": pytest.approx(2 / 3), "threshold": None}]
        assert seen["window"]["spans"] == [[0, len(seen["typed"])]]

    def test_typed_words_mend_it(self, tmp_path: Path) -> None:
        done = self.run(tmp_path, "--policy", "typed-words")
        assert kinds(done, prompt="chat-with-page", arm="attached") == set()
