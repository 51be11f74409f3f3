"""Three themes of our own, and the colours of ink for every theme: dark, light, the terminal's own, none."""

from __future__ import annotations

from textual.theme import Theme

__all__ = ["BLOCK", "CYCLE", "DARK", "FAINT", "LIGHT", "PLAIN", "ink_variables", "picture_colours"]

_DARK_INK = {
    "ink-plain": "#d5dae6",
    "ink-muted": "#8a94ab",
    "ink-strong": "#f2f4f9",
    "ink-heading": "#86b1f7",
    "ink-key": "#86b1f7",
    "ink-error": "#ff7b88",
    "ink-warning": "#f0b866",
    "ink-ok": "#7ed49a",
    "ink-running": "#6fcbe9",
    "ink-fire": "#ff9b5e",
    "ink-hold": "#b9a2ff",
    "ink-pass": "#93b4d1",
    "ink-hatch": "#465069",
    "ink-user": "#a5e39a",
    "ink-transport": "#cf9df0",
    "ink-attachment": "#f7b673",
    "ink-quoted": "#74c9e6",
    "ink-history": "#a3afdc",
    "ink-tool": "#f593b5",
    "ink-synthetic": "#66d6c6",
    "ink-app": "#d8c86f",
    "ink-cursor": "#2f4a78",
    "ink-cursor-blurred": "#272e3f",
    "ground-removed": "#2c1d26",
    "ground-added": "#182a24",
    "ground-removed-word": "#6a2636",
    "ground-added-word": "#1d5a3e",
    "ground-current": "#86b1f7",
    "ground-read": "#212a3d",
    "ground-dark": "#5c3a08",
    "ground-double": "#2f2748",
}

_LIGHT_INK = {
    "ink-plain": "#1f2733",
    "ink-muted": "#5f6a7d",
    "ink-strong": "#0b1220",
    "ink-heading": "#1c55c4",
    "ink-key": "#1c55c4",
    "ink-error": "#b3202c",
    "ink-warning": "#8f5200",
    "ink-ok": "#17702f",
    "ink-running": "#0a688f",
    "ink-fire": "#b03a0c",
    "ink-hold": "#653bbd",
    "ink-pass": "#3d5a78",
    "ink-hatch": "#a9b1be",
    "ink-user": "#146329",
    "ink-transport": "#752ba8",
    "ink-attachment": "#8f4700",
    "ink-quoted": "#0a688f",
    "ink-history": "#3c4b8c",
    "ink-tool": "#a01756",
    "ink-synthetic": "#0d6b64",
    "ink-app": "#645800",
    "ink-cursor": "#bcd3fb",
    "ink-cursor-blurred": "#e0e5ee",
    "ground-removed": "#fcebea",
    "ground-added": "#e6f6ec",
    "ground-removed-word": "#f8bdb8",
    "ground-added-word": "#a8e2bd",
    "ground-current": "#1c55c4",
    "ground-read": "#e8effc",
    "ground-dark": "#ffdfae",
    "ground-double": "#e6dcfb",
}

_ANSI_INK = {
    "ink-plain": "ansi_default",
    "ink-muted": "ansi_bright_black",
    "ink-strong": "ansi_default",
    "ink-heading": "ansi_blue",
    "ink-key": "ansi_blue",
    "ink-error": "ansi_red",
    "ink-warning": "ansi_yellow",
    "ink-ok": "ansi_green",
    "ink-running": "ansi_cyan",
    "ink-fire": "ansi_red",
    "ink-hold": "ansi_magenta",
    "ink-pass": "ansi_blue",
    "ink-hatch": "ansi_bright_black",
    "ink-user": "ansi_green",
    "ink-transport": "ansi_magenta",
    "ink-attachment": "ansi_yellow",
    "ink-quoted": "ansi_cyan",
    "ink-history": "ansi_blue",
    "ink-tool": "ansi_red",
    "ink-synthetic": "ansi_cyan",
    "ink-app": "ansi_yellow",
    "ink-cursor": "ansi_blue",
    "ink-cursor-blurred": "ansi_default",
    "ground-removed": "ansi_default",
    "ground-added": "ansi_default",
    "ground-removed-word": "ansi_default",
    "ground-added-word": "ansi_default",
    "ground-current": "ansi_default",
    "ground-read": "ansi_default",
    "ground-dark": "ansi_default",
    "ground-double": "ansi_default",
}

DARK = Theme(
    name="workbench-dark",
    primary="#86b1f7",
    secondary="#b9a2ff",
    accent="#f0b866",
    warning="#f0b866",
    error="#ff7b88",
    success="#7ed49a",
    foreground="#d5dae6",
    background="#141822",
    surface="#1a1f2c",
    panel="#232a3a",
    dark=True,
    variables={
        "border": "#86b1f7",
        "border-blurred": "#38425a",
        "scrollbar": "#38425a",
        "scrollbar-background": "#141822",
    },
)

LIGHT = Theme(
    name="workbench-light",
    primary="#1c55c4",
    secondary="#653bbd",
    accent="#8f5200",
    warning="#8f5200",
    error="#b3202c",
    success="#17702f",
    foreground="#1f2733",
    background="#fbfcfe",
    surface="#f1f4f9",
    panel="#e4e9f2",
    dark=False,
    variables={
        "border": "#1c55c4",
        "border-blurred": "#b6bfcd",
        "scrollbar": "#b6bfcd",
        "scrollbar-background": "#fbfcfe",
    },
)

BLOCK, FAINT = "ansi_white", "ansi_bright_black"
"""What the theme without colours paints: a block, which is drawn reversed, and letters that are drawn dim."""

_BLOCKS = ("block-cursor", "block-hover", "input-cursor", "input-selection", "screen-selection")

PLAIN = Theme(
    name="workbench-no-colour",
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    warning="ansi_default",
    error="ansi_default",
    success="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    ansi=True,
    dark=True,
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border": "ansi_default",
        "border-blurred": FAINT,
        "scrollbar": "ansi_default",
        "scrollbar-hover": "ansi_default",
        "scrollbar-active": "ansi_default",
        **{f"{what}-background": BLOCK for what in _BLOCKS},
        **{f"{what}-foreground": "ansi_default" for what in _BLOCKS},
    },
)
"""For the application, which takes the rest away: a theme can only name colours."""

CYCLE = (DARK.name, LIGHT.name, "ansi-dark", "ansi-light", PLAIN.name)
"""The themes that the theme key goes through; the palette has all of them."""


def ink_variables(dark: bool, ansi: bool) -> dict[str, str]:
    """The colours of ink for a theme; a theme may set its own under the same names."""
    if ansi:
        return dict(_ANSI_INK)
    return dict(_DARK_INK if dark else _LIGHT_INK)


def picture_colours(dark: bool) -> dict[str, str]:
    """The colours of a picture that stands by itself, outside any terminal."""
    theme = DARK if dark else LIGHT
    return {**(_DARK_INK if dark else _LIGHT_INK), "background": theme.background or "#ffffff"}
