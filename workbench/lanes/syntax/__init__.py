"""Source code as syntax trees: which files, in which language, and what could not be read."""
