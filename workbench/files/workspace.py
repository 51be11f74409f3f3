"""The workspace: the folder whose files are replayed, and the adapters that it declares."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.files.fields import read_fields
from workbench.files.folder import is_file
from workbench.files.node import Node, NodeKind
from workbench.files.parse import load
from workbench.files.problems import Problems, check_keys, nearest, shown
from workbench.files.root import FILES, find_root, packaged_root
from workbench.files.values import canonical

__all__ = [
    "FILES",
    "AdapterSpec",
    "Workspace",
    "find_root",
    "load_workspace",
    "open_workspace",
    "packaged_root",
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME_RULE = 'letters, digits, "-", "_" and ".", the first a letter or a digit'


@dataclass(frozen=True, slots=True)
class AdapterSpec:
    """One adapter as declared. `options` are all keys but `use`, not typed yet; `keys`: where they stand."""

    name: str
    use: str
    mark: Mark
    options: Mapping[str, Node]
    keys: Mapping[str, Mark]


@dataclass(frozen=True, slots=True)
class Workspace:
    """`root` has no symbolic links. `table_hash` identifies what the adapters' table says, in hex.

    `packaged`: the one that travels with this program, found because there was none of the user's, or
    a copy of it for the demo.
    """

    root: Path
    file: Path
    adapters: Mapping[str, AdapterSpec]
    table_hash: str
    packaged: bool = False

    @property
    def askable(self) -> tuple[str, ...]:
        """The adapters that can be asked anything: a recording knows nothing but what was recorded."""
        return tuple(name for name, spec in self.adapters.items() if spec.use != "recorded")


def open_workspace(start: Path) -> Workspace:
    """The workspace that `start` lies in, else the packaged one. Raises WorkbenchError on a bad file."""
    root = find_root(start)
    return load_workspace(root) if root is not None else load_workspace(packaged_root(), packaged=True)


def load_workspace(root: Path, *, packaged: bool = False) -> Workspace:
    """The workspace of a folder. Runs nothing. Raises WorkbenchError with all that is wrong."""
    file = _file_of(root)
    problems = Problems()
    top = load(file, problems)
    fields = read_fields(top, problems, ("adapters",), ("adapters",))
    table = fields.get("adapters")
    adapters: dict[str, AdapterSpec] = {}
    for key, node in table.entries(problems, "a mapping of adapters") if table is not None else ():
        if not _NAME.fullmatch(key.value):
            problems.add(key.mark, f"{shown(key.value)} cannot name an adapter", _NAME_RULE)
        adapters[key.value] = _adapter(key, node, problems)
    problems.check()
    digest = sha256(canonical(table).encode()).hexdigest() if table is not None else ""
    return Workspace(Path(os.path.realpath(root)), file, adapters, digest, packaged)


def _file_of(root: Path) -> Path:
    present = [root / name for name in FILES if is_file(root / name)]
    if not present:
        message = f"{root} is no workspace: it holds neither " + " nor ".join(FILES)
        raise WorkbenchError(Problem(message, hint="`workbench new workspace` makes one"))
    if len(present) > 1:
        raise WorkbenchError(Problem(f"{root} holds both " + " and ".join(FILES), hint="keep one of them"))
    return present[0]


def _adapter(key: Node, node: Node, problems: Problems) -> AdapterSpec:
    pairs = node.entries(problems, "a mapping with use")
    keys = {option.value: option.mark for option, _ in pairs}
    if node.kind is NodeKind.MAPPING:
        _check_use(node, keys, problems)
    options = {option.value: value for option, value in pairs}
    kind = options.pop("use", None)
    use = (kind.word(problems) if kind is not None else None) or ""
    return AdapterSpec(key.value, use, key.mark, options, keys)


def _check_use(node: Node, keys: Mapping[str, Mark], problems: Problems) -> None:
    """Options are the adapter's to know, so that here only a missing or misspelled `use` can be told."""
    if "use" not in keys:
        known = ("use", *(key for key in keys if nearest(key, ("use",)) is None))
        check_keys(problems, node.mark, keys, known, ("use",))
