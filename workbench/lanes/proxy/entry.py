"""A call as one entry of HAR 1.2; what that format has no word for begins with an underscore."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from workbench.core.mask import MASK, Masker
from workbench.core.shapes import is_secret_name
from workbench.lanes.proxy.bodies import Unmasked, shown, unpacked
from workbench.lanes.proxy.head import BadMessage, Head, read_head
from workbench.lanes.proxy.spool import Ended

__all__ = ["Recorded", "entry_of"]

_LEAST_KEY = 16
_MASKERS = 64

Entry = dict[str, Any]


class Recorded:
    """What stands in the recording of a call, and what a line of talk says of it."""

    def __init__(self, entry: Entry, body: Unmasked) -> None:
        self.entry = entry
        self._body = body

    def told(self) -> dict[str, Any]:
        """Everything but the bodies. `chars`: what the model can read of the request, None where it is
        none of a known provider.
        """
        response = self.entry["response"]
        return {
            "id": self.entry["_id"],
            "method": self.entry["request"]["method"],
            "path": urlsplit(self.entry["request"]["url"]).path,
            "status": response["status"] or None,
            "ms": self.entry["time"],
            "chars": _chars(self._body),
            "bytes": response["bodySize"],
            "complete": self.entry["_complete"],
            "error": self.entry.get("_error"),
        }


def entry_of(call: Ended, origin: str) -> Recorded:
    """The entry, without a secret. `origin`: scheme and host of the upstream."""
    told = call.told
    head, answer = _head(told["head"]), _head(told["answer"])
    secrets = (*_of_environment(), *_keys_of(head, told["target"]))
    masker = _masker(secrets)
    body = unpacked(call.request, head)
    url = masker.text(origin + told["target"])
    entry: Entry = {
        "startedDateTime": _moment(told["started"]),
        "time": round(told["ms"], 3),
        "request": {
            "method": told["method"],
            "url": url,
            "httpVersion": _version(head.line.rpartition(b" ")[2] if head else b""),
            "cookies": [],
            "headers": _fields(head, masker),
            "queryString": [
                {"name": name, "value": value}
                for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)
            ],
            "headersSize": len(told["head"] or ""),
            "bodySize": len(call.request),
        },
        "response": _response(call, answer, masker, secrets),
        "cache": {},
        "timings": _timings(told),
        "_id": told["id"],
        "_complete": told["complete"],
    }
    if call.request:
        entry["request"]["postData"] = {"mimeType": _type(head, masker), **_written(body, masker, secrets)}
        entry |= _digests(body.data)
    if told["error"] is not None:
        entry["_error"] = masker.text(told["error"])
    if told["by"] is not None:
        entry["_answered_by"] = told["by"]
    if told["pieces"]:
        entry["_pieces"] = told["pieces"]
    return Recorded(entry, body)


def _response(call: Ended, head: Head | None, masker: Masker, secrets: tuple[str, ...]) -> Entry:
    line = head.line.decode("latin-1").split(" ", 2) if head is not None else []
    body = unpacked(call.answer, head)
    content: Entry = {"size": len(body.data), "mimeType": _type(head, masker)}
    if call.answer:
        content |= _written(body, masker, secrets)
    location = head.values(b"location") if head is not None else []
    return {
        "status": int(line[1]) if line else 0,
        "statusText": masker.text(line[2]) if len(line) > 2 else "",
        "httpVersion": _version(line[0].encode("latin-1")) if line else "",
        "cookies": [],
        "headers": _fields(head, masker),
        "content": content,
        "redirectURL": masker.text(location[0].decode("latin-1")) if location else "",
        "headersSize": len(call.told["answer"] or "") if line else -1,
        "bodySize": len(call.answer),
    }


def _written(body: Unmasked, masker: Masker, secrets: tuple[str, ...]) -> Entry:
    """`_packed` says how it came, where that was undone here; the wire's bytes were not touched."""
    found = shown(body.data, masker, secrets)
    written: Entry = {"text": found.text}
    if found.encoding is not None:
        written["encoding"] = found.encoding
    if found.masked:
        written["_masked"] = True
    if body.packed is not None:
        written["_packed"] = body.packed
        written["_unpacked"] = body.unpacked
    return written


def _digests(data: bytes) -> dict[str, str]:
    """Of the body before it was masked: of its bytes, and of the JSON it holds, whatever its spelling."""
    found = {"_sha256": sha256(data).hexdigest()}
    value = _parsed(data)
    if value is not None:
        plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        found["_sha256_json"] = sha256(plain.encode("ascii")).hexdigest()
    return found


def _parsed(data: bytes) -> Any:
    if data.lstrip()[:1] not in (b"{", b"["):
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _chars(body: Unmasked) -> int | None:
    from workbench.ledger import readable

    value = _parsed(body.data)
    if not isinstance(value, dict):
        return None
    pieces = readable(value).pieces
    return sum(len(piece.text) for piece in pieces) if pieces else None


def _fields(head: Head | None, masker: Masker) -> list[dict[str, str]]:
    found = []
    for raw_name, raw_value in head.fields if head is not None else ():
        name, value = raw_name.decode("latin-1"), _readable(raw_value)
        hidden = MASK if value and is_secret_name(name) else masker.text(value)
        found.append({"name": name, "value": hidden})
    return found


def _readable(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _keys_of(head: Head | None, target: str) -> Iterable[str]:
    """The call's own keys, which an answer may repeat. A dummy such as `lm-studio` is no secret, and would
    blot out ordinary words.
    """
    found = [
        _readable(value).rpartition(" ")[2]
        for name, value in (head.fields if head is not None else ())
        if is_secret_name(name.decode("latin-1")) and name.lower() not in (b"cookie", b"set-cookie")
    ]
    query = parse_qsl(urlsplit(target).query) if "?" in target else []
    found += [value for name, value in query if name == "key" or is_secret_name(name)]
    return (key for key in found if len(key) >= _LEAST_KEY and any(map(str.isdigit, key)))


@lru_cache(1)
def _of_environment() -> tuple[str, ...]:
    return tuple(value for name, value in os.environ.items() if is_secret_name(name))


@lru_cache(_MASKERS)
def _masker(secrets: tuple[str, ...]) -> Masker:
    return Masker(secrets)


def _head(raw: str | None) -> Head | None:
    """None where none came, or what came is none."""
    try:
        return read_head(raw.encode("latin-1")) if raw is not None else None
    except BadMessage:
        return None


def _type(head: Head | None, masker: Masker) -> str:
    values = head.values(b"content-type") if head is not None else []
    return masker.text(values[0].decode("latin-1")) if values else ""


def _version(found: bytes) -> str:
    return found.decode("latin-1") if found.startswith(b"HTTP/") else ""


def _moment(seconds: float) -> str:
    found = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return found.replace("+00:00", "Z")


def _timings(told: dict[str, Any]) -> dict[str, float]:
    """Milliseconds, as that format divides them; -1 where there was none."""
    sent, first, whole = told["sent_ms"], told["first_ms"], told["ms"]
    sent = whole if sent is None else sent
    first = whole if first is None else max(first, sent)
    connect = -1.0 if told["connect_ms"] is None else told["connect_ms"]
    return {
        "blocked": -1,
        "dns": -1,
        "connect": round(connect, 3),
        "ssl": -1,
        "send": round(max(sent - max(connect, 0.0), 0.0), 3),
        "wait": round(max(first - sent, 0.0), 3),
        "receive": round(max(whole - first, 0.0), 3),
    }
