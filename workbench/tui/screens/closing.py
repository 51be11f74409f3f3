"""Screens that hold what somebody typed: leaving the program goes through them."""

from __future__ import annotations

__all__ = ["Closing"]


class Closing:
    """A screen over the main one. ctrl+q closes it, and only then the program."""

    def action_leave(self) -> None:
        """Close; ask first where something would be lost."""
        raise NotImplementedError
