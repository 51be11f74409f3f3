"""What makes two plans the same, and a seed for every trial that is the same in both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from hashlib import sha256

from workbench.adapters.protocol import Adapter
from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Json, canonical
from workbench.core.mask import Masker
from workbench.core.turn import Turn

__all__ = ["fingerprint_of", "plan_hash", "seed_of"]

_MASKER = Masker()


def fingerprint_of(adapter: Adapter) -> str:
    """What identifies the version of what decides, canonical JSON. A key in a URL or a body is masked."""
    return canonical(_MASKER.deep(adapter.fingerprint()))


def plan_hash(
    deliveries: Sequence[Delivery],
    repeats: Mapping[CellKey, int],
    adapters: Mapping[str, AdapterInfo],
    settings: Mapping[str, Json],
) -> str:
    """64 hex digits over what decides if a stored trial may stand for a new one.

    That is what is sent, how often, and to what: not what is expected, nor where a file says so.
    """
    digest = cache(_digest)  # the same words and documents stand in many cells
    cells = [
        [
            _parts(delivery.key),
            _turn(delivery.turn, digest),
            repeats[delivery.key],
            *([] if delivery.policy is None else [delivery.policy]),
        ]
        for delivery in deliveries
    ]
    described = {name: asdict(info) for name, info in adapters.items()}
    return _digest(_spelled({"cells": cells, "adapters": described, "settings": settings}))


def seed_of(key: CellKey, index: int) -> int:
    """A number below 2**31 that stays with its trial from run to run."""
    spelled = _spelled([*_parts(key), index])
    return int.from_bytes(sha256(spelled.encode("utf-8", "surrogatepass")).digest()[:4], "big") >> 1


def _parts(key: CellKey) -> list[str]:
    return [key.scenario, key.prompt, key.arm, key.adapter]


def _turn(turn: Turn, digest: Callable[[str], str]) -> list[Json]:
    return [
        digest(turn.text),
        digest(turn.typed),
        [[region.start, region.end, region.author.value] for region in turn.regions],
        [[file.name, file.path, digest(file.text)] for file in turn.attachments],
        [[message.role, digest(message.content)] for message in turn.messages],
        turn.made_by_app,
    ]


def _spelled(value: object) -> str:
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
