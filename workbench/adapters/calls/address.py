"""Where a call goes: addresses checked and joined, and whether a host is the vendor's own."""

from __future__ import annotations

from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

__all__ = ["address_problem", "is_in_the_clear", "is_on_host", "joined"]

_PORTS = {"http": 80, "https": 443}


def address_problem(url: str) -> str | None:
    """What is wrong with a URL, in words; None where calls can go there."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return f"{url!r} is no URL: {error}"
    if parts.scheme not in _PORTS:
        return f"{url!r} does not begin with http:// or https://"
    if not parts.hostname or port == 0:
        return f"{url!r} names no host; expected e.g. http://127.0.0.1:8080"
    if parts.username is not None or parts.password is not None:
        return "a password does not belong in an address; use headers: {Authorization: {env: NAME}}"
    if parts.fragment:
        return f"{url!r} has a part after #, which is never sent"
    if any(char.isspace() or not char.isprintable() for char in url):
        return f"{url!r} holds a blank or a character that cannot be seen"
    return None


def is_on_host(url: str, vendor: str) -> bool:
    """Whether `url` goes, encrypted, to the host and port of `vendor`."""
    ours, theirs = urlsplit(url), urlsplit(vendor)
    return bool(vendor) and ours.scheme == "https" and _door(ours) == _door(theirs)


def is_in_the_clear(url: str, vendor: str) -> bool:
    """Whether `url` goes to the host of `vendor` without the encryption that the vendor asks for."""
    ours, theirs = urlsplit(url), urlsplit(vendor)
    return ours.scheme == "http" and theirs.scheme == "https" and _door(ours)[0] == _door(theirs)[0]


def _door(parts: SplitResult) -> tuple[str | None, int | None]:
    return (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(parts.scheme)


def joined(base: str, path: str, vendor: str = "") -> str:
    """`path` added to a base URL, which may have the version or the whole path already, or none of it.

    Without a path, `base` gets that of `vendor`, the format's own base URL. Query values of both stay.
    """
    parts, added = urlsplit(base), urlsplit(path)
    own = [step for step in parts.path.split("/") if step]
    more = [step for step in added.path.split("/") if step]
    before = [step for step in urlsplit(vendor).path.split("/") if step]
    if not own:
        own = before
    whole = before + more
    steps = own + more
    for known in (whole, more):
        overlap = next(
            (count for count in range(len(known), 0, -1) if own[-count:] == known[:count]),
            0,
        )
        if overlap:
            steps = own + known[overlap:]
            break
    query = urlencode(list(dict.fromkeys((*parse_qsl(parts.query, True), *parse_qsl(added.query, True)))))
    return urlunsplit((parts.scheme, parts.netloc, "/" + "/".join(steps), query, ""))
