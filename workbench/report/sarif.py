"""SARIF 2.1.0: findings as code hosts and editors take them. It knows places and words, no verb's terms."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote

from workbench.core.decision import Json
from workbench.core.text import visible

__all__ = ["Level", "Rule", "SarifRow", "as_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_BASE = "%SRCROOT%"
_PRINT = "workbench/v1"


class Level(StrEnum):
    """How bad it is, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a row may be an instance of. `about`: one sentence that explains all of its rows."""

    id: str
    about: str


@dataclass(frozen=True, slots=True)
class SarifRow:
    """One result. `file`: relative to the root of the sources, or absolute; None: about no file.

    `line` and `column` count from 1, columns in code points. `fingerprint` is what tells the row from
    others when lines have moved; equal ones are numbered in the order of the rows. All may be foreign, raw.
    """

    rule: str
    level: Level
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    fingerprint: str | None = None


def as_sarif(rows: Iterable[SarifRow], rules: Sequence[Rule], *, category: str, version: str) -> str:
    """The rows as one run of a SARIF log, ASCII-only. `category` keeps apart runs of several verbs, `version`
    is the workbench's.

    Raises ValueError for a row whose rule is not among `rules`.
    """
    places = {rule.id: at for at, rule in enumerate(rules)}
    if len(places) < len(rules):
        raise ValueError("a rule stands twice")
    seen: Counter[str] = Counter()
    results = [_result(row, places, seen) for row in rows]
    driver: Json = {
        "name": "workbench",
        "version": version,
        "semanticVersion": version,
        "rules": [
            {"id": rule.id, "name": _pascal(rule.id), "shortDescription": {"text": rule.about}}
            for rule in rules
        ],
    }
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"{category}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder that paths are relative to."}}},
        "results": results,
    }
    log: Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def uri_of(file: str) -> tuple[str, bool]:
    """A path as a URI, percent-encoded byte by byte, and whether it is relative."""
    windows = PureWindowsPath(file)
    if windows.drive and windows.root:
        return f"file:///{_encoded(windows.as_posix())}", False
    path = PurePosixPath(file)
    encoded = _encoded(str(path))
    if path.is_absolute():
        return f"file://{encoded}", False
    # The first colon of a relative reference would end a scheme.
    head, slash, rest = encoded.partition("/")
    return head.replace(":", "%3A") + slash + rest, True


def _encoded(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape" if _from_bytes(path) else "surrogatepass"), "/:~")


def _from_bytes(path: str) -> bool:
    """Whether what cannot be encoded are bytes of a file name that is no UTF-8."""
    return all("\udc80" <= char <= "\udcff" for char in path if "\ud800" <= char <= "\udfff")


def _result(row: SarifRow, places: Mapping[str, int], seen: Counter[str]) -> Json:
    if row.rule not in places:
        raise ValueError(f"no such rule: {row.rule}")
    result: dict[str, Json] = {
        "ruleId": row.rule,
        "ruleIndex": places[row.rule],
        "level": row.level.value,
        "message": {"text": visible(row.message)},
    }
    if row.file is not None:
        result["locations"] = [{"physicalLocation": _location(row.file, row)}]
    if row.fingerprint is not None:
        seen[row.fingerprint] += 1
        result["partialFingerprints"] = {_PRINT: f"{row.fingerprint}:{seen[row.fingerprint]}"}
    return result


def _location(file: str, row: SarifRow) -> Json:
    uri, relative = uri_of(file)
    artifact: dict[str, Json] = {"uri": uri}
    if relative:
        artifact["uriBaseId"] = _BASE
    location: dict[str, Json] = {"artifactLocation": artifact}
    if row.line is not None:
        region: dict[str, Json] = {"startLine": row.line}
        if row.column is not None:
            region["startColumn"] = row.column
        location["region"] = region
    return location


def _pascal(rule: str) -> str:
    return "".join(word.capitalize() for word in rule.replace("_", "-").split("-"))
