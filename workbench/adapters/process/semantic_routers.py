"""Both APIs of semantic-router behind one question: what does it choose, and how does every route score?

The library decides, called as its users call it. Beside it the index is watched: the vector that it
was given, and the few utterances that it found, are what the library went by; the same vector held
against every utterance gives each route a score that does not depend on its rivals. Loaded by its
path into the process of `semantic_engine`: no import of the package it lies in.
"""

# ruff: noqa: B905  (the app's interpreter may not know `strict`)

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

ENCODERS = {
    "fastembed": "FastEmbedEncoder",
    "huggingface": "HuggingFaceEncoder",
    "openai": "OpenAIEncoder",
}
SAME = 1e-9  # sums of one set of numbers in two orders differ by less


class Unsuited(Exception):
    """A router that cannot be watched, or settings that the installed library does not know."""


class Watched:
    """A router and its local index. Which API it is of, a subclass knows."""

    def __init__(self, router: Any) -> None:
        self.router, self.encoder, self.index = router, router.encoder, router.index
        if getattr(self.index, "utterances", None) is None or getattr(self.index, "index", None) is None:
            kind = type(self.index).__name__
            raise Unsuited(f"the router's index is a {kind}; expected a LocalIndex that holds utterances")
        self.similarity: Any = importlib.import_module("semantic_router.linear").similarity_matrix
        self.members: dict[str, list[int]] = {}
        for place, name in enumerate(self.index.routes):
            self.members.setdefault(str(name), []).append(place)
        self.vector: Any = None
        self.hits: dict[str, list[float]] = {}
        self.query = self.index.query
        object.__setattr__(self.index, "query", self.watch)  # past pydantic, which knows no such field

    def watch(self, *args: Any, **named: Any) -> Any:
        """The index's own query, kept: what was looked for, and the scores that were found."""
        scores, names = found = self.query(*args, **named)
        self.vector = named["vector"] if "vector" in named else args[0]
        self.hits = {}
        for name, score in zip(names, scores):
            self.hits.setdefault(str(name), []).append(float(score))
        return found

    def decide(self, text: str) -> dict[str, Any]:
        """The library's choice, every route's scores, the nearest utterance, and what is unusual."""
        self.vector = None
        chosen = self.choose(text)
        if self.vector is None:
            raise Unsuited("the router decided without a look at its index")
        near, used = self.similarity(self.vector, self.index.index), self.used()
        scores: list[dict[str, Any]] = []
        nearest: dict[str, tuple[float, int]] = {}
        for name, places in self.members.items():
            own = [float(near[place]) for place in places]
            nearest[name] = max(zip(own, places), key=lambda pair: pair[0])  # the first of equals
            value = float(self.aggregate(own))
            scores.append({"route": name, "value": value, "threshold": self.threshold(name)})
            if name in used and abs(used[name] - value) > SAME:
                scores[-1]["used"] = used[name]
        best = chosen if chosen in nearest else max(nearest, key=lambda name: nearest[name][0])
        value, place = nearest[best]
        note = f"nearest utterance {value:.3f}"
        hidden = [name for name in self.members if name not in self.hits]
        if hidden:
            note += f"; none of the {self.router.top_k} nearest is of {', '.join(hidden)}"
        decision = {
            "outcome": "pass" if chosen is None else "fire",
            "calls": [] if chosen is None else [{"name": chosen}],
            "scores": scores,
            "matches": [{"rule": f"{best}: {self.index.utterances[place]}"}],
            "note": note,
        }
        return {"decision": decision, "flags": self.flags(chosen)}

    def flags(self, chosen: str | None) -> list[str]:
        """What makes a score, or a choice, say less than it seems to."""
        open_doors = [name for name in self.members if self.passes_all(name)]
        if not open_doors:
            return []
        which = "every route" if len(open_doors) == len(self.members) else ", ".join(open_doors)
        value = self.threshold(open_doors[0])
        what = "no threshold" if value is None else f"a threshold of {value:g}"
        return [f"{what}: {which} passes whatever the score"]

    def aggregate(self, scores: list[float]) -> float:
        raise NotImplementedError

    def choose(self, text: str) -> str | None:
        """The name of the route that the library takes; None without one."""
        raise NotImplementedError

    def used(self) -> dict[str, float]:
        """What the library holds against the threshold, for the routes to which it gives a score."""
        return {name: float(self.aggregate(hits)) for name, hits in self.hits.items()}

    def threshold(self, name: str) -> float | None:
        raise NotImplementedError

    def passes_all(self, name: str) -> bool:
        raise NotImplementedError


class Old(Watched):
    """0.1: thresholds are the encoder's unless a route has its own, and both None and 0 pass everything."""

    def __init__(self, router: Any) -> None:
        super().__init__(router)
        self.routes = {route.name: route for route in router.routes}

    def choose(self, text: str) -> str | None:
        # static: the routes of a dynamic router are chosen alike, and no model of theirs is called
        choice = self.router(text, simulate_static=True)
        return choice.name  # type: ignore[no-any-return]

    def aggregate(self, scores: list[float]) -> float:
        return self.router.aggregation_method(scores)  # type: ignore[no-any-return]

    def threshold(self, name: str) -> float | None:
        own = getattr(self.routes.get(name), "score_threshold", None)
        return self.router.score_threshold if own is None else own  # type: ignore[no-any-return]

    def passes_all(self, name: str) -> bool:
        return not self.threshold(name)

    def flags(self, chosen: str | None) -> list[str]:
        found = super().flags(chosen)
        if getattr(self.routes.get(chosen or ""), "function_schemas", None):
            found.append(f"{chosen} is a dynamic route: its model was not called")
        return found


class New(Watched):
    """1.1: thresholds are the router's and the routes'; None passes everything, 0 only what is above it."""

    def choose(self, text: str) -> str | None:
        return self.router(text).name  # type: ignore[no-any-return]

    def aggregate(self, scores: list[float]) -> float:
        return self.router.aggregate(scores)  # type: ignore[no-any-return]

    def used(self) -> dict[str, float]:
        found = super().used()
        scores = {name: found.get(name, 0.0) for name in self.members}
        return {name: float(value) for name, value in self.router._probs(scores).items()}

    def threshold(self, name: str) -> float | None:
        return self.router._bar(name)  # type: ignore[no-any-return]

    def passes_all(self, name: str) -> bool:
        return self.threshold(name) is None


def load(settings: dict[str, Any], find: Callable[[str], Any]) -> Watched:
    """The router that the settings describe, or name. `find` is the worker's: holder, name and object.

    Raises what the library and the app raise.
    """
    library = importlib.import_module("semantic_router")
    if settings["router"] is not None:
        router = find(settings["router"])[2]
    elif hasattr(library, "IndexedRouter"):
        router = build_new(library, settings, encoder_of(settings, find))
    elif hasattr(library, "SemanticRouter"):
        router = build_old(library, settings, encoder_of(settings, find))
    else:
        raise Unsuited("this semantic-router has neither IndexedRouter (1.1) nor SemanticRouter (0.1)")
    return watched(library, router)


def watched(library: Any, router: Any) -> Watched:
    """The router, watched in the way of its API."""
    new, old = getattr(library, "IndexedRouter", None), getattr(library, "SemanticRouter", None)
    if getattr(router, "sparse_encoder", None) is not None:
        raise Unsuited("the router mixes in a sparse encoder, whose scores are no similarities")
    if new is not None and isinstance(router, new):
        return New(router)
    if old is not None and isinstance(router, old):
        return Old(router)
    wanted = "an IndexedRouter" if new is not None else "a SemanticRouter"
    raise Unsuited(f"a {type(router).__name__} was named as the router; expected {wanted}")


def build_old(library: Any, settings: dict[str, Any], encoder: Any) -> Any:
    if settings["threshold"] is not None:
        encoder.score_threshold = settings["threshold"]
    routes = [
        library.Route(
            name=route["name"],
            utterances=route["utterances"],
            description=route["description"],
            score_threshold=route["threshold"],
        )
        for route in settings["routes"]
    ]
    index = importlib.import_module("semantic_router.index.local").LocalIndex()
    more = {key: settings[key] for key in ("top_k", "aggregation") if settings[key] is not None}
    return library.SemanticRouter(encoder=encoder, routes=routes, index=index, auto_sync="local", **more)


def build_new(library: Any, settings: dict[str, Any], encoder: Any) -> Any:
    routes = [
        library.Route(
            name=route["name"],
            utterances=route["utterances"],
            description=route["description"],
            confidence_threshold=route["threshold"],
        )
        for route in settings["routes"]
    ]
    more = {key: settings[key] for key in ("top_k", "aggregation") if settings[key] is not None}
    return library.IndexedRouter(
        encoder=encoder, routes=routes, confidence_threshold=settings["threshold"], **more
    )


def encoder_of(settings: dict[str, Any], find: Callable[[str], Any]) -> Any:
    """One of the library's encoders by its short name, or a class, or an encoder, of the app's."""
    options = dict(settings["encoder_options"] or {})
    if settings["model"] is not None:
        options["name"] = settings["model"]
    if settings["encoder"] in ENCODERS:
        encoders = importlib.import_module("semantic_router.encoders")
        return getattr(encoders, ENCODERS[settings["encoder"]])(**options)
    found = find(settings["encoder"])[2]
    return found(**options) if isinstance(found, type) or options else found
