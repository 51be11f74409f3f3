"""Many sampled runs at once, seeded: the e-process in numpy, held against the real one in its own test."""

from __future__ import annotations

from typing import Any

import numpy as np

PRIOR = 0.18


def pairs(seed: int, runs: int, blocks: int, bare: float, variant: float) -> tuple[Any, Any]:
    """Whether the event happened, by run and block, bare and in the arm."""
    random = np.random.default_rng(seed)
    return random.random((runs, blocks)) < bare, random.random((runs, blocks)) < variant


def log_evidence(bare: Any, variant: Any, *, rise: bool = False) -> Any:
    """The logarithm of the evidence after each block, by run and block."""
    blocks = bare.shape[1]
    before = np.arange(blocks)
    ours = (np.cumsum(bare, axis=1) - bare + PRIOR) / (before + 2 * PRIOR)
    theirs = (np.cumsum(variant, axis=1) - variant + PRIOR) / (before + 2 * PRIOR)
    both = (ours + theirs) / 2
    steps = np.log(np.where(bare, ours, 1 - ours) / np.where(bare, both, 1 - both))
    steps += np.log(np.where(variant, theirs, 1 - theirs) / np.where(variant, both, 1 - both))
    if rise:
        steps = np.where(theirs > ours, steps, 0.0)
    return np.cumsum(steps, axis=1)


def stops(log_values: Any, threshold: float) -> Any:
    """After how many blocks each run has enough evidence; one more than there are where it never has."""
    enough = log_values >= np.log(threshold)
    return np.where(enough.any(axis=1), enough.argmax(axis=1) + 1, log_values.shape[1] + 1)
