"""The line loop: one prompt a line, answered at once by every chosen adapter, bare and wrapped."""
