"""Answers that were recorded, given again: nothing is asked, and nothing is made up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from workbench.adapters.protocol import Answer, Capabilities, Option, OptionType, Place, Request
from workbench.adapters.recordings.keys import body_sent, key_of, turn_sent
from workbench.adapters.recordings.missing import missing
from workbench.adapters.recordings.reading import Recording, Where, of_run, read_file, read_head
from workbench.adapters.recordings.recipe import Recipe
from workbench.core.decision import Json, canonical
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.mask import Masker
from workbench.core.trial import Status
from workbench.core.turn import Turn
from workbench.files.root import runs_root

__all__ = ["RecordedAdapter"]


class RecordedAdapter:
    """Finds each trial by what was sent, its arm and its attempt. One that was not recorded is an error.

    It samples if what was recorded did. One call at a time: then the draws are those of the recording or
    fewer, however many were under way at once when it was made.
    """

    summary: ClassVar[str] = "answers recorded by `run --record`, or in a stored run; asks nobody"
    options: ClassVar[tuple[Option, ...]] = (
        Option("file", OptionType.PATH, "the recording, as `run --record` writes it"),
        Option("run", OptionType.TEXT, "in place of a file a stored run: its id, or last"),
        Option(
            "adapter",
            OptionType.TEXT,
            "whose answers, by its name then; with `run`, or where there are several",
        ),
        Option("concurrency", OptionType.INTEGER, "taken, and of no use: nothing is waited for", 1),
        Option("timeout", OptionType.NUMBER, "taken, and of no use: nothing is waited for", 10),
    )

    def __init__(
        self,
        name: str,
        place: Place,
        *,
        file: str | None = None,
        run: str | None = None,
        adapter: str | None = None,
        concurrency: int = 1,
        timeout: float = 10,
    ) -> None:
        self.name, self.concurrency, self.timeout = name, 1, timeout
        if (file is None) == (run is None):
            raise WorkbenchError(Problem("file: expected either `file` or `run`"))
        if run is not None and adapter is None:
            raise WorkbenchError(Problem("run: it needs `adapter`: whose answers are meant?"))
        self._masker = Masker()
        self._file = None if file is None else Path(file)
        self._recording: Recording | None = None
        if self._file is not None:
            self._adapter, self._head = read_head(self._file, adapter)
        else:
            assert run is not None and adapter is not None
            root = runs_root(place.root, packaged=place.packaged)
            self._recording = of_run(root, run, adapter, self._masker)
            self._adapter, self._head = adapter, self._recording.head
        self.capabilities = Capabilities(
            deterministic=self._head.deterministic,
            router=self._head.router,
            wraps=self._head.wraps,
            decides=self._head.decides,
        )
        self._looked_up = lru_cache(maxsize=256)(self._sent)

    async def open(self) -> None:
        """Reads the recording. Raises WorkbenchError with every line that is none."""
        self._loaded()

    async def decide(self, request: Request) -> Answer:
        """What was answered then. Never another answer than that of the same body, arm and attempt."""
        recording = self._loaded()
        seed = request.seed if self._head.recipe is not None and self._head.recipe.seeded else 0
        sent, key = self._looked_up(request.turn, seed)
        where = Where(key, request.arm, request.attempt)
        kept = recording.trials.get(where)
        if kept is None:
            return Answer(Status.ERROR, error=missing(recording, where, sent, self._spelled))
        if self._head.recipe is not None:
            return kept.answer(canonical(sent))
        if where not in recording.bodies:
            return kept.answer(None)
        return kept.answer(canonical(recording.bodies[where]), recording.claims.get(where))

    async def close(self) -> None:
        """Nothing to end."""

    def fingerprint(self) -> Mapping[str, str]:
        """The recording, and what was recorded."""
        marks = {"recording": self._loaded().digest, "of": f"{self._head.use} {self._adapter}"}
        if isinstance(self._head.fingerprint, str):
            marks["was"] = self._head.fingerprint
        return marks

    def recipe(self) -> Recipe | None:
        """How bodies follow from turns, as it was then."""
        return self._head.recipe

    @cached_property
    def _spelled(self) -> Mapping[str, str]:
        return {key: canonical(sent) for key, sent in self._loaded().sent.items()}

    def _loaded(self) -> Recording:
        if self._recording is None:
            assert self._file is not None
            self._recording = read_file(self._file, self._adapter)
        return self._recording

    def _sent(self, turn: Turn, seed: int) -> tuple[Json, str]:
        recipe = self._head.recipe
        sent = (
            turn_sent(turn, self._masker)
            if recipe is None
            else body_sent(recipe.body(turn, seed), self._masker)
        )
        return sent, key_of(sent)
