"""Writers are found in small files with known answers; a third of them was never tuned on."""

from __future__ import annotations

import pytest
from writers_corpus import GROUPS, PARTS, cases, marks, score

_FLOORS = {"open": 0.95, "held": 0.85}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("group", GROUPS)
def test_precision_and_recall(group: str, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = score(cases(part, group))
    named = f"; wrong {found.wrong}, missed {found.missed}, details {found.details}" if part == "open" else ""
    with capsys.disabled():
        print(
            f"\nwriters, {group}, {part}: precision {found.precision:.3f} of {found.right + len(found.wrong)}"
            f", recall {found.recall:.3f} of {found.right + len(found.missed)},"
            f" details wrong in {len(found.details)} of {found.right}{named}"
        )
    assert found.precision >= _FLOORS[part], found.wrong
    assert found.recall >= _FLOORS[part], found.missed
    assert len(found.details) <= (0 if part == "open" else found.right / 4), found.details


@pytest.mark.parametrize("group", GROUPS)
def test_the_corpus_is_large_and_has_look_alikes(group: str) -> None:
    found = [path for part in PARTS for path in cases(part, group)]
    assert len(found) >= 60
    assert len([path for path in found if not marks(path)]) >= len(found) / 3
    assert len(cases("held", group)) >= len(found) / 4
