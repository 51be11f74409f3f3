"""Names of lanes that a change brings in, held against the registry."""
