"""The gateway's keyword table: which words mean which tool, and which words mean that none may run."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["HOLD", "KEYWORDS", "Row"]


class Row(NamedTuple):
    """Any of `phrases` asks for `tool`."""

    phrases: tuple[str, ...]
    tool: str
    side_effects: bool = False


# scenarios/keywords.yaml says the same for the built-in keyword adapter; a test holds them together.
KEYWORDS = (
    Row(("my calendar", "calendar event"), "google-calendar::list-events"),
    Row(("send an email", "email to"), "gmail::message_send", side_effects=True),
    Row(("click",), "browser::open-session", side_effects=True),
    Row(("delete the records",), "crm::delete-records", side_effects=True),
)

HOLD = ("every morning", "whenever", "workflow", "automation")
"""Words of a schedule or a workflow: whoever says them asks for a plan, not for one tool now."""
