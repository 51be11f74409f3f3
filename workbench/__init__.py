"""Replay and diff the decisions of agent routers."""

__version__ = "0.1.0"
