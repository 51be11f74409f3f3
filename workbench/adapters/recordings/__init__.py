"""Recordings: what adapters answered, kept in a file, to be replayed without them."""
