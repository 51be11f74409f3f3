"""OpenTelemetry's exports unpacked: OTLP as JSON, the console's spans and records, rows of a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.capture.readers.fields import at, moment, pick, text

__all__ = ["Signal", "fits", "indexed", "signals"]

_KINDS = {
    "resourceSpans": ("scopeSpans", "spans"),
    "resource_spans": ("scope_spans", "spans"),
    "resourceLogs": ("scopeLogs", "logRecords"),
    "resource_logs": ("scope_logs", "log_records"),
}
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Signal:
    """A span, or an event within or beside one. Attributes are flat: dotted keys, plain values."""

    span: bool
    name: str
    attributes: Mapping[str, Any]
    trace: str | None = None
    id: str | None = None
    parent: str | None = None
    start: float | None = None
    body: Any = None


def fits(value: Any) -> bool:
    """Whether a record is an export, or one span or log record out of it."""
    if not isinstance(value, dict):
        return False
    if any(isinstance(value.get(kind), list) for kind in _KINDS):
        return True
    if "attributes" in value:
        return any(
            key in value
            for key in (
                "traceId",
                "trace_id",
                "context",
                "spanContext",
                "hrTime",
                "timeUnixNano",
                "body",
                "_body",
                "resource",
            )
        )
    return "context.trace_id" in value or any(str(key).startswith("attributes.") for key in value)


def signals(value: Mapping[str, Any]) -> Iterator[Signal]:
    """The spans and events of a record, in its order."""
    exported = False
    for kind, (scopes, members) in _KINDS.items():
        groups = value.get(kind)
        for group in groups if isinstance(groups, list) else ():
            exported = True
            resource = _attributes(at(group, "resource", "attributes"))
            for scope in _list(at(group, scopes)):
                for member in _list(at(scope, members)):
                    if isinstance(member, dict):
                        yield from _one(member, resource)
    if not exported:
        yield from _one(value, _attributes(at(value, "resource", "attributes")))


def indexed(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """The list that numbered keys spell: `prefix.0.role`, `prefix.0.parts.1.text`."""
    start = f"{prefix}."
    root: dict[str, Any] = {}
    for key, value in attributes.items():
        if not key.startswith(start):
            continue
        *steps, last = key[len(start) :].split(".")
        node = root
        for step in steps[:_DEEPEST]:
            inner = node.setdefault(step, {})
            if not isinstance(inner, dict):
                inner = node[step] = {}
            node = inner
        node[last] = value
    listed = _listed(root)
    return listed if isinstance(listed, list) else []


def _listed(node: Any) -> Any:
    """Mappings whose keys are all numbers, as lists in the order of those."""
    if not isinstance(node, dict):
        return node
    made = {key: _listed(inner) for key, inner in node.items()}
    if made and all(key.isdecimal() and len(key) < 10 for key in made):
        return [made[key] for key in sorted(made, key=int)]
    return made


def _one(member: Mapping[str, Any], resource: Mapping[str, Any]) -> Iterator[Signal]:
    attributes = _attributes(member.get("attributes"))
    rows = {
        key[11:]: inner
        for key, inner in member.items()
        if isinstance(key, str) and key.startswith("attributes.")
    }
    if rows:
        attributes = {**attributes, **_flat(rows)}
    if "session.id" in resource and "session.id" not in attributes:
        attributes["session.id"] = resource["session.id"]
    context: Mapping[str, Any] = next(
        (
            member[key]
            for key in ("context", "spanContext", "span_context")
            if isinstance(member.get(key), dict)
        ),
        {},
    )
    both = {**{key: member.get(f"context.{key}") for key in ("trace_id", "span_id")}, **member}
    trace = _id(pick(both, ("traceId", "trace_id"))) or _id(pick(context, ("traceId", "trace_id")))
    span = (
        _id(pick(both, ("spanId", "span_id")))
        or _id(pick(context, ("spanId", "span_id")))
        or _id(member.get("id"))
    )
    parent = _id(pick(member, ("parentSpanId", "parent_span_id", "parent_id", "parentId"))) or _id(
        at(member, "parentSpanContext", "spanId")
    )
    start = moment(
        pick(
            member,
            (
                "startTimeUnixNano",
                "start_time_unix_nano",
                "start_time",
                "startTime",
                "timeUnixNano",
                "time_unix_nano",
                "observedTimeUnixNano",
                "timestamp",
                "hrTime",
            ),
        )
    )
    body = _plain(pick(member, ("body", "_body")))
    kind = text(attributes.get("event.name")) or text(pick(member, ("eventName", "event_name")))
    if kind is None and "body" in member and "name" not in member:
        kind = text(at(body, "event.name")) or ""
    if kind is not None:
        yield Signal(False, kind, attributes, trace, span, parent, start, body)
        return
    for event in _list(member.get("events")):
        if isinstance(event, dict) and isinstance(event.get("name"), str):
            yield Signal(
                False,
                event["name"],
                _attributes(event.get("attributes")),
                trace,
                span,
                parent,
                start,
                _plain(event.get("body")),
            )
    yield Signal(True, text(member.get("name")) or "", attributes, trace, span, parent, start)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _id(value: Any) -> str | None:
    """An id in hex; all zeros are none, as is a null that was spelled out."""
    if not isinstance(value, str) or value in ("", "null", "None"):
        return None
    value = value.removeprefix("0x")
    return value if value.strip("0") else None


def _attributes(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {
            item["key"]: _plain(item.get("value"))
            for item in value
            if isinstance(item, dict) and isinstance(item.get("key"), str)
        }
    return _flat(value) if isinstance(value, dict) else {}


def _flat(value: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    """Mappings within mappings as dotted keys; lists stay."""
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(inner, dict) and depth < _DEEPEST and inner:
            found.update(_flat(inner, f"{before}{key}.", depth + 1))
        else:
            found[f"{before}{key}"] = inner
    return found


_SCALARS = (
    "stringValue",
    "string_value",
    "boolValue",
    "bool_value",
    "doubleValue",
    "double_value",
    "bytesValue",
    "bytes_value",
)


def _plain(value: Any, depth: int = 0) -> Any:
    """A value out of its typed wrapping; one that is not wrapped as it is."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return value
    for key in _SCALARS:
        if key in value:
            return value[key]
    for key in ("intValue", "int_value"):
        if key in value:
            whole = value[key]
            return (
                int(whole)
                if isinstance(whole, str) and whole.lstrip("-").isdecimal() and len(whole) < 21
                else whole
            )
    for key in ("arrayValue", "array_value"):
        if key in value:
            return [_plain(item, depth + 1) for item in _list(at(value, key, "values"))]
    for key in ("kvlistValue", "kvlist_value"):
        if key in value:
            pairs = _list(at(value, key, "values"))
            return {
                item["key"]: _plain(item.get("value"), depth + 1)
                for item in pairs
                if isinstance(item, dict) and isinstance(item.get("key"), str)
            }
    return value
