"""LiteLLM's complexity router: the tier that it picks is the route, its score and signals are kept."""

import os

# Before the first import: else a table of prices is fetched from the network.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ.setdefault("LITELLM_TELEMETRY", "False")

from litellm.router_strategy.complexity_router.complexity_router import ComplexityRouter

TIERS = {"SIMPLE": "small", "MEDIUM": "medium", "COMPLEX": "large", "REASONING": "thinker"}
ROUTER = ComplexityRouter("auto", None, complexity_router_config={"tiers": TIERS})


def route(text):
    """The model of the tier; the dearer the tier, the higher the score."""
    tier, score, signals = ROUTER.classify(text)
    return {
        "outcome": "fire",
        "calls": [{"name": TIERS[tier.value]}],
        "scanned": text,
        "scores": [{"route": "complexity", "value": score}],
        "note": "; ".join(signals),
    }
