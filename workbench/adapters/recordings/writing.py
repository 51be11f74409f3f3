"""Writes a recording from a run: as a whole or not at all, and without a secret."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.adapters.protocol import Adapter
from workbench.adapters.recordings.keys import key_of, read_body, turn_sent
from workbench.adapters.recordings.recipe import HasRecipe
from workbench.adapters.recordings.shape import (
    VERSION,
    AdapterHead,
    Head,
    Kept,
    Line,
    SentLine,
    to_json,
)
from workbench.core.cell import Cell, Run
from workbench.core.decision import Json
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.mask import Masker
from workbench.core.trial import Trial

__all__ = ["check_target", "write_recording"]


def check_target(path: Path) -> None:
    """Raises WorkbenchError where no file can be written there: told before the run, not after it."""
    if path.is_dir():
        raise WorkbenchError(Problem("this is a folder", Mark(str(path)), "name a file, such as run.jsonl"))
    if path.exists() and not path.is_file():  # to replace a device would take it from everybody
        raise WorkbenchError(Problem("this is no file", Mark(str(path)), "name a file, such as run.jsonl"))
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise _cannot(path, error) from None
    os.close(handle)
    Path(name).unlink()


def write_recording(
    path: Path, run: Run, adapters: Mapping[str, Adapter], masker: Masker, note: Json = None
) -> int:
    """Replaces the file. Returns how many trials stand in it. Raises WorkbenchError."""
    count = 0
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        draft = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="ascii", newline="\n") as stream:
                for value in _lines(run, adapters, masker, note):
                    count += "answer" in value
                    stream.write(json.dumps(masker.deep(value), separators=(",", ":")) + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            os.replace(draft, path)  # noqa: PTH105
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot(path, error) from None
    return count


def _lines(run: Run, adapters: Mapping[str, Adapter], masker: Masker, note: Json) -> Iterator[Any]:
    heads = {name: _head(run, name, adapters.get(name)) for name in run.adapters}
    yield to_json(
        Head(
            VERSION,
            run.started,
            run.id,
            __version__,
            note,
            {name: to_json(head) for name, head in heads.items()},
        )
    )
    told: set[str] = set()
    for cell in run.cells:
        by_body = heads[cell.key.adapter].recipe is not None
        for trial in cell.trials:
            sent = _sent(cell, trial, masker, by_body=by_body)
            things = [sent]
            if trial.exchange is not None and not by_body:
                things.append(read_body(masker.text(trial.exchange.sent)))
                if trial.exchange.claims is not None:
                    things.append(masker.deep(to_json(trial.exchange.claims)))
            keys = [key_of(thing) for thing in things]
            for key, thing in zip(keys, things, strict=True):
                if key not in told:
                    told.add(key)
                    yield to_json(SentLine(key, thing))
            where = cell.key
            yield to_json(
                Line(
                    where.adapter,
                    where.scenario,
                    where.prompt,
                    where.arm,
                    trial.index + 1,
                    keys[0],
                    Kept.of(trial),
                    *keys[1:],
                )
            )


def _head(run: Run, name: str, adapter: Adapter | None) -> AdapterHead:
    info = run.adapters[name]
    return AdapterHead(
        use=info.use,
        fingerprint=info.fingerprint,
        deterministic=info.deterministic,
        router=info.router,
        wraps=info.wraps,
        decides=info.decides,
        recipe=adapter.recipe() if isinstance(adapter, HasRecipe) else None,
    )


def _sent(cell: Cell, trial: Trial, masker: Masker, *, by_body: bool) -> Json:
    if by_body and trial.exchange is not None:
        return read_body(masker.text(trial.exchange.sent))
    return turn_sent(cell.delivery.turn, masker)


def _cannot(path: Path, error: OSError) -> WorkbenchError:
    message = f"the recording cannot be written: {error.strerror or error}"
    return WorkbenchError(
        Problem(message, Mark(str(path)), "name a file in a folder that is there and yours")
    )


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
