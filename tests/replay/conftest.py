"""A store that is gone after the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.store.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.temporary() as made:
        yield made
