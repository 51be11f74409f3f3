"""Foreign text in a message: short, and without the secrets in it."""

from __future__ import annotations

from workbench.core.mask import Masker

__all__ = ["clean", "quote"]

_SHOWN = 60
_AROUND = 400
"""More than is shown is masked, so that a key which is cut off is seen as one."""

_MASKER = Masker()


def clean(text: str, shown: int = _SHOWN) -> str:
    """The start of a text, masked; an ellipsis says that there is more. Still foreign, raw."""
    masked = _MASKER.text(text[: max(_AROUND, 2 * shown)])
    cut = len(text) > shown or len(masked) > shown
    return masked[:shown] + ("…" if cut else "")


def quote(text: str, shown: int = _SHOWN) -> str:
    """The same in quotation marks."""
    return f'"{clean(text, shown)}"'
