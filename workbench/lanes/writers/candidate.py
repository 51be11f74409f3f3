"""What a rule finds: a node of the tree, how it writes, and how sure that is."""

from __future__ import annotations

from typing import NamedTuple

from workbench.lanes.writers.site import Confidence, SiteKind

__all__ = ["Candidate", "by_reach"]


class Candidate(NamedTuple):
    """`at`: the node's number in its tree."""

    at: int
    kind: SiteKind
    confidence: Confidence


def by_reach(reach: int) -> Confidence:
    """How sure something is that is a writer wherever a model is in reach."""
    return Confidence(reach + 1)
