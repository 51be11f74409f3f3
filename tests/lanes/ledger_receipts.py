"""What the app's ledger writes, caught in a list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from workbench import ledger
from workbench.ledger import configure, turn


@contextmanager
def caught() -> Iterator[list[dict[str, Any]]]:
    """In a context of its own, as pytest runs all tests in one."""
    found: list[dict[str, Any]] = []
    configure(to=found.append)
    with turn():
        ledger._scope.set(None)
        yield found
    configure()
