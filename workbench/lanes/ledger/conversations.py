"""Which requests are turns of one conversation, where the capture has no id for that."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

__all__ = ["Conversations"]

_MOST = 200
_LONGEST = 20_000
"""Code points of a last message that are kept, to be found again without its wrapping."""


@dataclass(slots=True)
class _Open:
    name: str
    digests: tuple[bytes, ...]
    last: str


class Conversations:
    """Names every request's conversation; the most recent ones are remembered."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._made = 0

    def name(self, group: str, messages: Sequence[str]) -> str:
        """The conversation of a request: the newest of the same group whose messages it goes on from.

        Each message but the last has to be the same. The last one may have lost or gained a wrapping:
        what an app adds to the newest message it often leaves out once that is history.
        """
        digests = tuple(map(_digest, messages))
        last = messages[-1][:_LONGEST] if messages else ""
        for key in reversed(self._open):
            known = self._open[key]
            if key.startswith(f"{group}\0") and _goes_on(known, messages, digests):
                self._open[key] = _Open(known.name, digests, last)
                self._open.move_to_end(key)
                return known.name
        self._made += 1
        name = f"conversation {self._made}"
        self._open[f"{group}\0{name}"] = _Open(name, digests, last)
        if len(self._open) > _MOST:
            self._open.popitem(last=False)
        return name


def _goes_on(known: _Open, messages: Sequence[str], digests: tuple[bytes, ...]) -> bool:
    count = len(known.digests)
    if not 0 < count <= len(digests) or known.digests[:-1] != digests[: count - 1]:
        return False
    if known.digests[-1] == digests[count - 1]:
        return True
    then, now = known.last, messages[count - 1]
    return len(digests) > count and min(len(then), len(now)) > 0 and (then in now or now in then)


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
