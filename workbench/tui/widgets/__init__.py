"""Widgets: they draw view models and post what was clicked."""
