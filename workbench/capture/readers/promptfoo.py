"""promptfoo's results: the variables of a test beside the prompt that was made of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from workbench.capture.readers.fields import TYPED_VARIABLES, at, moment, names_of, parsed, plain, text
from workbench.capture.readers.gathering import Draft
from workbench.capture.readers.messages import asked_of
from workbench.capture.sources.record import Read, Record
from workbench.capture.sources.tables import Tables, rows
from workbench.capture.turns import Fault, LogTurn, Skipped

__all__ = ["PromptfooReader", "fits", "fits_tables", "read"]


def fits(value: Any) -> bool:
    """Whether a record is a file of results, or one result."""
    if not isinstance(value, dict):
        return False
    return _is_result(value) or "evalId" in value or any(_is_result(item) for item in _results(value)[:3])


def fits_tables(tables: Tables) -> bool:
    """Whether a database is its own."""
    return {"prompt", "test_case", "response"} <= set(tables.get("eval_results", ()))


class PromptfooReader:
    """A turn per result. What was typed is the variable that stands in the prompt."""

    name: ClassVar[str] = "promptfoo"

    def __init__(self) -> None:
        self._templates: list[str] = []

    def take(self, record: Record) -> Iterable[Read]:
        value = record.value
        if _is_result(value):
            yield self._turn(value, record)
            return
        if not fits(value):
            yield Skipped(record.place, Fault.UNKNOWN, "no result")
            return
        prompts = at(value, "results", "prompts") or at(value, "config", "prompts") or value.get("prompts")
        if isinstance(prompts, list):
            found = (text(at(item, "raw")) or text(item) for item in prompts)
            self._templates = [words for words in found if words]
        for item in _results(value):
            if _is_result(item):
                yield self._turn(item, record)

    def end(self) -> Iterable[Read]:
        return ()

    def _turn(self, result: Mapping[str, Any], record: Record) -> LogTurn:
        draft = Draft(record.place, self.name)
        draft.id = plain(result.get("id"))
        draft.time = moment(at(record.value, "results", "timestamp"))
        raw = at(result, "prompt", "raw")
        whole = parsed(raw)
        asked = asked_of(whole) if not isinstance(whole, str) else None
        if asked is not None:
            draft.asks(asked)
        else:
            draft.wrapped = text(raw)
        given = _variables(result)
        draft.variables = {str(name): words for name, words in given.items() if isinstance(words, str)}
        index = result.get("promptIdx")
        if isinstance(index, int) and 0 <= index < len(self._templates):
            draft.template = self._templates[index]
        draft.typed = _typed(draft.variables, draft.wrapped or "", draft.template)
        output = parsed(at(result, "response", "output"))
        calls = output if isinstance(output, list) else at(output, "tool_calls")
        if at(result, "response") is not None:
            draft.called(*(names_of(calls) if isinstance(calls, list) else ()))
        return draft.turn()


def read(connection: sqlite3.Connection, file: str, after: int) -> Iterator[Read]:
    """A turn per result of the database behind that row."""
    reader = PromptfooReader()
    for row in rows(connection, file, "eval_results", after):
        if isinstance(row, Skipped):
            yield row
            continue
        values = {name: parsed(value) for name, value in row.value.items()}
        result = {
            **values,
            "promptIdx": values.get("prompt_idx"),
            "vars": at(values["test_case"], "vars") or {},
        }
        yield from reader.take(Record(result, row.place))


def _results(value: Mapping[str, Any]) -> list[Any]:
    found = value.get("results")
    found = at(found, "results") if isinstance(found, dict) else found
    return found if isinstance(found, list) else []


def _is_result(value: Any) -> bool:
    return (
        isinstance(at(value, "prompt"), dict)
        and "raw" in value["prompt"]
        and ("vars" in value or "testCase" in value)
    )


def _variables(result: Mapping[str, Any]) -> Mapping[str, Any]:
    found = result.get("vars")
    found = found if isinstance(found, dict) else at(result, "testCase", "vars")
    return found if isinstance(found, dict) else {}


def _typed(variables: Mapping[str, str], prompt: str, template: str | None) -> str | None:
    """The one variable that stands in the prompt; of several, the one whose name says so; else none.

    Where a template escapes what it puts in, none stands there: then of all that it names.
    """
    inside = {name: words for name, words in variables.items() if words and words in prompt}
    if not inside:
        inside = {name: words for name, words in variables.items() if words and name in (template or name)}
    if len(inside) == 1:
        return next(iter(inside.values()))
    return next((inside[name] for name in TYPED_VARIABLES if name in inside), None)
