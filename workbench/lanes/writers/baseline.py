"""The writers that are known: a file with a line for each, in which a new one and a gone one show."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.problems import Problems, check_keys, shown, slip
from workbench.files.source import Source, read_source
from workbench.lanes.writers.site import Site, SiteKind

__all__ = ["Known", "baseline_text", "identified", "known_of", "parse_baseline", "read_baseline"]

_VERSION = 1
_HEAD = {"workbench": _VERSION, "baseline": "writers"}
_REQUIRED = ("file", "function", "kind", "text")
_KEYS = (*_REQUIRED, "ordinal")
_KINDS = tuple(kind.value for kind in SiteKind)
_LONGEST = 200
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """What a writer is, wherever in its function it stands. All strings are foreign, raw.

    `file` is relative to the baseline's folder, with `/`. `text` is on one line; of a long one the head, and
    a hash of the whole. `ordinal` counts those that are alike in all else, from 1 in the order of the file.
    `line` is where it stands in the baseline.
    """

    file: str
    function: str
    kind: str
    text: str
    ordinal: int = 1
    line: int = field(default=0, compare=False)

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits, the same for as long as the writer is."""
        parts = (self.file, self.function, self.kind, self.text, str(self.ordinal))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def known_of(sites: Iterable[Site], folder: Path) -> dict[Known, Site]:
    """The sites by what they are, in their order; files relative to `folder`."""
    seen: Counter[Known] = Counter()
    found = {}
    for site in sites:
        first = Known(_relative(site.file, folder), site.function, site.kind.value, _folded(site.text))
        seen[first] += 1
        found[Known(first.file, first.function, first.kind, first.text, seen[first])] = site
    return found


def identified(known: Known) -> str:
    """A writer in words, for a message: how it writes, and where."""
    return f"{known.kind} in {known.function}, {known.file}"


def baseline_text(known: Iterable[Known]) -> str:
    """The file that holds them: ASCII, a head, and then a line for each, sorted."""
    lines = [json.dumps(_HEAD)]
    for one in sorted(known):
        entry = {"file": one.file, "function": one.function, "kind": one.kind, "text": one.text}
        lines.append(json.dumps(entry if one.ordinal == 1 else {**entry, "ordinal": one.ordinal}))
    return "".join(f"{line}\n" for line in lines)


def read_baseline(path: Path) -> tuple[Known, ...]:
    """The writers in a file. Raises WorkbenchError with every place that is wrong."""
    return parse_baseline(read_source(path))


def parse_baseline(source: Source) -> tuple[Known, ...]:
    """The same of a text that is read already."""
    problems = Problems()
    lines = source.text.split("\n")
    _check_head(lines[0], Mark(source.file))
    found: dict[Known, int] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        one = _entry(line, Mark(source.file, number), problems)
        if one is None:
            continue
        if one in found:
            message = f"the same writer as in line {found[one]}"
            problems.add(Mark(source.file, number), message, "strike one of the two")
        found.setdefault(one, number)
    problems.check()
    return tuple(found)


def _relative(file: str, folder: Path) -> str:
    whole = os.path.abspath(file)  # noqa: PTH100 - a link stays where it stands
    try:
        return os.path.relpath(whole, folder).replace(os.sep, "/")
    except ValueError:  # on Windows, another drive
        return whole.replace(os.sep, "/")


def _folded(text: str) -> str:
    whole = " ".join(text.split())
    if len(whole) <= _LONGEST:
        return whole
    digest = sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{whole[:_LONGEST].rstrip()}… {digest}"


def _check_head(line: str, mark: Mark) -> None:
    """Raises WorkbenchError where the file is no baseline of this version."""
    hint = "to begin anew, delete it: workbench lanes writers SRC --write-baseline FILE"
    if line.startswith(_CONFLICT):
        raise WorkbenchError(Problem("a merge conflict that is not resolved", mark, "keep both sides' lines"))
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, Mapping) or head.get("baseline") != _HEAD["baseline"]:
        message = f"no baseline of writers: its first line is to be {json.dumps(_HEAD)}"
        raise WorkbenchError(Problem(message, mark, hint))
    if type(head.get("workbench")) is not int or head["workbench"] != _VERSION:
        found = json.dumps(head.get("workbench"))
        message = f"a baseline of version {found}: {_VERSION} is the one that is known here"
        raise WorkbenchError(Problem(message, mark, hint))


def _entry(line: str, mark: Mark, problems: Problems) -> Known | None:
    if line.startswith(_CONFLICT):
        problems.add(mark, "a merge conflict that is not resolved", "keep both sides' lines")
        return None
    try:
        entry = json.loads(line)
    except json.JSONDecodeError as error:
        at = Mark(mark.file, mark.line, error.colno)
        problems.add(at, f"no JSON: {error.msg}", "one object on a line for each writer")
        return None
    except (ValueError, RecursionError):
        problems.add(mark, "no JSON that can be read", "one object on a line for each writer")
        return None
    if not isinstance(entry, Mapping):
        problems.add(mark, f"{shown(line)} is no object", f"with {', '.join(_REQUIRED)}")
        return None
    before = len(problems)
    check_keys(problems, mark, dict.fromkeys(entry, mark), _KEYS, _REQUIRED)
    for key in _REQUIRED:
        if key in entry and not isinstance(entry[key], str):
            problems.add(mark, f"{key} is {json.dumps(entry[key])}: text is expected, in quotes")
    kind = entry.get("kind")
    if isinstance(kind, str) and kind not in _KINDS:
        problems.add(mark, f"unknown kind {shown(kind)}", slip(kind, _KINDS) or f"one of {', '.join(_KINDS)}")
    ordinal = entry.get("ordinal", 1)
    if type(ordinal) is not int or ordinal < 1:
        problems.add(mark, f"ordinal is {json.dumps(ordinal)}: a whole number from 1 is expected")
    if len(problems) > before:
        return None
    return Known(entry["file"], entry["function"], entry["kind"], entry["text"], ordinal, mark.line)
