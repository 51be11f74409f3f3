"""The registry of a workspace's lanes as its file stands now, read again only when that has changed."""

from __future__ import annotations

from pathlib import Path

from workbench.lanes.lane import Registry
from workbench.lanes.registry import FILE
from workbench.lanes.requested import workspace_registry

__all__ = ["RegistryFile"]


class RegistryFile:
    """Gives the nearest `lanes.toml` from a workspace's root upwards."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: tuple[object, Registry | None] | None = None

    def read(self) -> Registry | None:
        """None where there is none. Raises WorkbenchError where it cannot be read."""
        stamp = self._stamp()
        if self._known is None or self._known[0] != stamp:
            self._known = (stamp, workspace_registry(self._root))
        return self._known[1]

    def _stamp(self) -> object:
        """Which file it is, and its state; None where there is none."""
        for folder in (self._root, *self._root.parents):
            try:
                stat = (folder / FILE).stat()
            except OSError:
                continue
            return folder, stat.st_mtime_ns, stat.st_size
        return None
