"""Screens: they carry out commands and hand view models down."""
