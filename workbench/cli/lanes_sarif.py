"""Faults of lanes as SARIF: paths from the repository's top, a rule for each kind."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from workbench import __version__
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.report.sarif import Level, Rule, SarifRow, as_sarif

__all__ = ["ABOUT", "faults_as_sarif"]

ABOUT: Mapping[LaneKind, str] = {
    LaneKind.UNIT: "A registry of lanes does not say what its budgets count, or its words contradict it.",
    LaneKind.DARK: "Text was sent to a model that no lane owns.",
    LaneKind.DOUBLE: "Text was claimed by two lanes, or twice.",
    LaneKind.NEGATIVE: "A lane claimed text that was not sent.",
    LaneKind.OVER_BUDGET: "A lane is larger than its budget.",
    LaneKind.UNREGISTERED: "A lane is named that has no stanza in the registry.",
    LaneKind.REPEAT: "The same text was sent twice.",
    LaneKind.UNREAD: "The server counted far fewer tokens than were sent.",
    LaneKind.UNFENCED: "Text of a lane that is not trusted stands between no marks.",
    LaneKind.ECHOED: "The model's answer repeats the wrapper.",
    LaneKind.GHOST: "A lane is declared and never written.",
    LaneKind.VOLATILE: "A lane's text changes from request to request, and breaks the prompt cache.",
    LaneKind.MISSING: "A request lacks a lane that others of its kind have.",
    LaneKind.GROWTH: "Dark text grows along a conversation.",
    LaneKind.NO_RECEIPT: "A request has no receipt.",
    LaneKind.NO_REQUEST: "A receipt has no request.",
    LaneKind.JOINED: "A router reads text that the user did not write, joined to the user's words.",
    LaneKind.SKIPPED: "Something was to be read and was not, or not to its end.",
    LaneKind.INFEASIBLE: "A budget that cannot be met.",
    LaneKind.LATE: "The body that was sent is not the one that its receipt saw.",
    LaneKind.FIELD: "A stanza's field is missing, wrong or unknown.",
    LaneKind.DUPLICATE: "Two stanzas have one name.",
    LaneKind.UNCAPPED: "A lane has no cap, and nothing says why.",
    LaneKind.INJECTOR: "A stanza's injector names a path that is not there.",
    LaneKind.EMITS: "What a stanza says of its receipts is not what was found.",
    LaneKind.EMITS_NONE: "A lane is declared as written by nothing.",
    LaneKind.UNREACHABLE: "A lane's writer cannot be reached.",
    LaneKind.NO_LANES: "A registry declares no lane.",
    LaneKind.INCOMPLETE: "A lane's stanza lacks a field.",
    LaneKind.UNNAMED: "A lane is declared, and no line of the code names it.",
    LaneKind.WRITER: "Code writes into a prompt and names no registered lane.",
    LaneKind.NEW_WRITER: "Code writes into a prompt in a place that the baseline does not have.",
    LaneKind.GONE_WRITER: "The baseline has a writer that the code has no longer.",
}
"""What each kind of fault is, in one sentence."""

_NUMBERS = re.compile(r"\d+")


def faults_as_sarif(faults: Sequence[LaneFault], verb: str, folder: Path | None = None) -> str:
    """The log of one verb. Files of faults are relative to `folder` (the working one)."""
    root = _root(Path())
    rules = [Rule(kind.value, ABOUT[kind]) for kind in LaneKind if any(one.kind is kind for one in faults)]
    return as_sarif(
        _rows(faults, folder or Path(), root), rules, category=f"workbench-lanes-{verb}", version=__version__
    )


def _rows(faults: Sequence[LaneFault], folder: Path, root: Path) -> Iterator[SarifRow]:
    for fault in faults:
        file = None if fault.file is None else _below(root, folder / fault.file)
        lane = f"{fault.lane}: " if fault.lane is not None else ""
        yield SarifRow(
            fault.kind.value,
            Level(fault.severity.value),
            lane + fault.message,
            file,
            fault.line,
            fault.column,
            fault.fingerprint or _fingerprint(fault, file),
        )


def _fingerprint(fault: LaneFault, file: str | None) -> str:
    """Of a fault that has none: its words without their numbers, since those may be of lines."""
    parts = (fault.kind.value, fault.lane or "", file or "", _NUMBERS.sub("0", fault.message))
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _root(start: Path) -> Path:
    """The top of the repository, which code hosts count paths from; the folder itself outside of one."""
    here = start.absolute()
    return next((one for one in (here, *here.parents) if (one / ".git").exists()), here)


def _below(root: Path, file: Path) -> str:
    """The path from `root`, or the whole path of what is not below it."""
    whole = os.path.abspath(file)  # noqa: PTH100 - a link stays where it stands
    try:
        path = os.path.relpath(whole, root)
    except ValueError:  # on Windows, another drive
        return whole
    return whole if path.startswith(f"..{os.sep}") or path == ".." else path.replace(os.sep, "/")
