"""What is compared with what: names for both sides, and what the two have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.cell import AdapterInfo, CellKey
from workbench.core.finding import Finding
from workbench.core.text import SafeText, join, safe, visible

__all__ = ["Sides", "sides_of"]

DOT = safe(" · ")


@dataclass(frozen=True, slots=True)
class Sides:
    """`names` of baseline and variant; `common` is what both share, such as the adapter.

    `infos`: what each side's adapter is. `findings`: the baseline's own, where it is of an earlier run.
    `pinned`: the baseline was chosen. `lacking`: why there is none, although one was chosen.
    """

    names: tuple[SafeText, SafeText]
    common: SafeText
    infos: tuple[AdapterInfo | None, AdapterInfo | None] = (None, None)
    findings: Sequence[Finding] = ()
    pinned: bool = False
    lacking: str = ""


def sides_of(
    baseline: CellKey | None,
    variant: CellKey,
    infos: tuple[AdapterInfo | None, AdapterInfo | None] = (None, None),
    when: tuple[SafeText, SafeText] | None = None,
    findings: Sequence[Finding] = (),
    lacking: str = "",
) -> Sides:
    """Each side is named by what sets it apart. `when` names the times of two answers, where these differ."""
    pinned = when is not None
    if baseline is None:
        return Sides(
            (safe("bare"), visible(variant.arm)), visible(variant.adapter), infos, findings, pinned, lacking
        )
    parts: tuple[list[SafeText], list[SafeText]] = ([], [])
    common: list[SafeText] = []
    if (baseline.scenario, baseline.prompt) != (variant.scenario, variant.prompt):
        for side, key in zip(parts, (baseline, variant), strict=True):
            side.append(visible(f"{key.scenario}#{key.prompt}"))
    for one, other in ((baseline.arm, variant.arm), (baseline.adapter, variant.adapter)):
        if one == other:
            common.append(visible(one))
        else:
            parts[0].append(visible(one))
            parts[1].append(visible(other))
    if when is not None and (when[0] != when[1] or not parts[0]):
        parts[0].append(when[0])
        parts[1].append(when[1])
    names = (join(parts[0], DOT), join(parts[1], DOT))
    return Sides(names, join(common, DOT), infos, findings, pinned, lacking)
