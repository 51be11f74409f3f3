"""Escapes of single characters, and back: what markup, JSON, links, CSV and SQL do to words."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

__all__ = ["BACK", "TABLES"]

_AMP = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def _in_json(char: str) -> str:
    return json.dumps(char)[1:-1]


def _in_link(char: str) -> str:
    return quote(char, safe="", errors="surrogatepass")


def _of(table: Mapping[str, str]) -> Callable[[str], str]:
    return lambda char: table[char]


TABLES: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "slack-escape": ("[&<>]", _of(_AMP)),
    "attribute-escape": ('[&<>"]', _of({**_AMP, '"': "&quot;"})),
    "html-escape": ("[&<>\"']", html.escape),
    "html-escape-39": ("[&<>\"']", _of({**_AMP, '"': "&quot;", "'": "&#39;"})),
    "html-escape-34": ("[&<>\"']", _of({**_AMP, '"': "&#34;", "'": "&#39;"})),
    "xml-escape": ("[&<>\"']", _of({**_AMP, '"': "&quot;", "'": "&apos;"})),
    "json-escape": (r'[\x00-\x1f"\\]', _in_json),
    "json-ascii": (r'["\\]|[^ -~]', _in_json),
    "url-encode": (r"[^\w.~!*'()-]|[^\x00-\x7f]", _in_link),
    "percent-encode": (r"[^\w.~-]|[^\x00-\x7f]", _in_link),
    "form-encode": (r"[^\w.~-]|[^\x00-\x7f]", lambda char: "+" if char == " " else _in_link(char)),
    "csv-escape": ('"', lambda char: char * 2),
    "sql-escape": ("'", lambda char: char * 2),
}
"""By the transform's name: what is escaped, a character at a time, and what stands in its place."""


def _unescape_json(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _decode_link(text: str) -> str:
    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return text


BACK: Mapping[str, Callable[[str], str]] = {
    # All that was escaped is an entity of one of these, so that any reading of entities takes them back.
    **dict.fromkeys(
        ("slack-escape", "attribute-escape", "html-escape", "html-escape-39", "html-escape-34", "xml-escape"),
        html.unescape,
    ),
    "json-escape": _unescape_json,
    "json-ascii": _unescape_json,
    "url-encode": _decode_link,
    "percent-encode": _decode_link,
    "form-encode": lambda text: _decode_link(text.replace("+", " ")),
    "csv-escape": lambda text: text.replace('""', '"'),
    "sql-escape": lambda text: text.replace("''", "'"),
}
"""By the transform's name: the words before it. What does not decode stays."""
