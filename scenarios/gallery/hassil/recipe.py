"""hassil as a router: an intent whose slots hold known values fires, one with unknown values is held."""

from pathlib import Path

import yaml
from hassil import Intents, recognize_best

SENTENCES = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text("utf-8"))
INTENTS = Intents.from_dict(SENTENCES)
WILDCARDS = {name for name, slot in SENTENCES["lists"].items() if slot.get("wildcard")}


def route(text):
    """The best intent with its slots as arguments."""
    found = recognize_best(text, INTENTS)
    if found is None:
        return {"outcome": "pass", "calls": [], "scanned": text}
    slots = {name: slot.value for name, slot in found.entities.items()}
    guessed = sorted(WILDCARDS & set(slots))
    return {
        "outcome": "hold" if guessed else "fire",
        "calls": [{"name": found.intent.name, "arguments": slots}],
        "scanned": text,
        "note": f"any words would do for {', '.join(guessed)}" if guessed else None,
    }
