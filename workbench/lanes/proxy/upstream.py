"""The host that a proxy stands before, as its user named it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from workbench.core.errors import Problem, UsageError

__all__ = ["Upstream", "base_urls", "upstream_of"]

_PORTS = {"http": 80, "https": 443}
_PATH = re.compile(r"[!-~]*")

_OPENAI = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
_OTHERS = ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST")
_VERSIONED = re.compile(r"/v[0-9]\w*\Z")


@dataclass(frozen=True, slots=True)
class Upstream:
    """`path` is what stands before the path of every call, without a slash at its end; "" is none."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def secure(self) -> bool:
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """As the Host field names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return self.origin + self.path


def upstream_of(url: str) -> Upstream:
    """Raises UsageError where it is not the URL of a host, or holds what does not belong there."""
    problem = _problem(url)
    if problem is not None:
        raise UsageError(
            Problem(f"--upstream: {problem}", hint="expected such as --upstream https://api.openai.com/v1")
        )
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    return Upstream(parts.scheme, host, parts.port or _PORTS[parts.scheme], parts.path.rstrip("/"))


def _problem(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")
    except ValueError as error:
        return f"this is no URL: {error}"
    if parts.scheme not in _PORTS or not host:
        return "this is no URL of a host that speaks http or https"
    if port == 0:
        return "no port is 0"
    if parts.username is not None or parts.password is not None:
        return "a URL with a password would be seen by whoever lists processes; let the app send its key"
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        return "a base URL has no query and no fragment"
    if not _PATH.fullmatch(parts.path):
        return "a character of the path has to be written as %XX"
    return None


def base_urls(root: str, upstream: Upstream) -> dict[str, str]:
    """What to set, by the name of the variable that a provider's client reads, for a proxy at `root`.

    OpenAI's clients want the version in their base URL, the others add it themselves: those are left out
    where the upstream's own path ends in one.
    """
    found = dict.fromkeys(_OPENAI, root if upstream.path else f"{root}/v1")
    if not _VERSIONED.search(upstream.path):
        found.update(dict.fromkeys(_OTHERS, root))
    return found
