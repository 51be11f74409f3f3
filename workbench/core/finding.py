"""A finding: one thing that is wrong, with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from workbench.core.decision import Json

__all__ = ["Finding", "Kind", "Severity", "finding_id"]


class Kind(StrEnum):
    """The kinds of section 6 of the design; each later issue uses its own."""

    EXPECTATION = "expectation"
    DRIFT = "drift"
    LEAK = "leak"
    MISS = "miss"
    SCORE_DRIFT = "score-drift"
    CALL_DRIFT = "call-drift"
    FOREIGN_ARGUMENT = "foreign-argument"
    RATE_DRIFT = "rate-drift"
    UNSTABLE = "unstable"
    VACUOUS = "vacuous"
    NOT_REACHED = "not-reached"
    UNDECIDED = "undecided"
    NO_VERDICT = "no-verdict"
    ACCEPTED = "accepted"
    STALE_ACCEPT = "stale-accept"


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """`headline` and all of `baseline`, `variant`, `evidence` may quote foreign text, raw.

    `prompt` and `arm` are None where a finding is about a whole scenario and adapter. `accepts`, of the
    kinds accepted and stale-accept: the kind of what is, or was to be, accepted.
    """

    kind: Kind
    severity: Severity
    scenario: str
    prompt: str | None
    arm: str | None
    adapter: str
    headline: str
    baseline: Mapping[str, Json] = field(default_factory=dict)
    variant: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[str, Json] = field(default_factory=dict)
    accepts: Kind | None = None

    @property
    def id(self) -> str:
        return finding_id(self.kind, self.scenario, self.prompt, self.arm, self.adapter, self.accepts)


def finding_id(
    kind: Kind,
    scenario: str,
    prompt: str | None,
    arm: str | None,
    adapter: str,
    accepts: Kind | None = None,
) -> str:
    """Twelve hex digits that stay the same from run to run for the same kind, cell and adapter."""
    named = kind.value if accepts is None else f"{kind.value} {accepts.value}"
    parts = (named, scenario, prompt or "", arm or "", adapter)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
