"""Functions for an app that take an envelope off its turns, until it carries the typed words beside them."""
