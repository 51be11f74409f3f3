"""View models: what the screen shows, as values. Nothing here knows Textual."""
