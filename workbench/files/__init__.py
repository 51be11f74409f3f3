"""YAML and disk: files in, frozen types of the domain out. Reading runs no code."""
