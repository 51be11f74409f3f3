"""Lanes: every character of a request has exactly one declared owner."""
