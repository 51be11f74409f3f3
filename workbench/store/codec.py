"""Dataclasses of the domain to compact JSON and back, driven by their types, without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from workbench.core.claims import Claims
from workbench.core.decision import Json

__all__ = ["UnstorableError", "decode", "dumps", "encode", "loads"]

T = TypeVar("T")
Put = Callable[[str], int]
Get = Callable[[int], str]

_LONG = 200
"""A string above this many code points is stored once, by reference, where its type is `str`."""

_WHOLE = (Claims,)
"""Stored once as one text, by reference, where they are a field: many trials have them in common."""


class UnstorableError(ValueError):
    """A value that is not what its type says: what an adapter of someone else's may answer."""


class _Codec(NamedTuple):
    encode: Callable[[Any, Put], Any]
    decode: Callable[[Any, Get], Any]


def encode(value: object, put: Put) -> Json:
    """A dataclass as JSON, fields at their default left out, each long text as the number `put` gives it.

    A JSON number where a text is wanted is such a reference; nothing else reads like one. Raises
    UnstorableError where a field does not hold what its type says.
    """
    try:
        made: Json = _outermost(type(value)).encode(value, put)
    except (AttributeError, TypeError, ValueError) as error:
        raise UnstorableError(f"it is no {type(value).__name__} as declared: {error}") from error
    return made


def decode(kind: type[T], value: Json, get: Get) -> T:
    """The inverse of `encode`. Fields that this version does not know are passed over."""
    made: T = _outermost(kind).decode(value, get)
    return made


def dumps(value: object) -> bytes:
    """JSON as bytes. Lone surrogates stay apart even where two of them would read as a pair.

    Raises UnstorableError on what is no JSON: cycles, depths past the interpreter's, odd keys.
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise UnstorableError(f"it is no JSON: {error}") from error
    return text.encode("utf-8", "surrogatepass")


def loads(body: bytes) -> Any:
    """The inverse of `dumps`."""
    return json.loads(body.decode("utf-8", "surrogatepass"))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray):
        return list(value)
    raise TypeError(f"a {type(value).__name__}")


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


def _codec(kind: Any) -> _Codec:
    return _made(kind)


def _outermost(kind: Any) -> _Codec:
    return _by_itself(kind) if kind in _WHOLE else _made(kind)


@cache
def _by_itself(kind: Any) -> _Codec:
    return _of_dataclass(kind)


@cache
def _made(kind: Any) -> _Codec:
    if isinstance(kind, type) and is_dataclass(kind):
        return _of_whole(kind) if kind in _WHOLE else _of_dataclass(kind)
    if kind is str:
        return _Codec(_encode_text, lambda value, get: get(value) if type(value) is int else value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _Codec(lambda value, put: value.value, lambda value, get: kind(value))
    if get_origin(kind) in (Union, UnionType) and len(get_args(kind)) == 2:  # JSON has more members
        return _of_optional(kind)
    if get_origin(kind) in (tuple, frozenset):
        return _of_collection(kind)
    # numbers, booleans, and JSON as the adapter gave it
    return _Codec(lambda value, put: value, lambda value, get: value)


def _encode_text(value: str, put: Put) -> str | int:
    if not isinstance(value, str):
        raise TypeError(f"a {type(value).__name__} where text is wanted")
    return put(value) if len(value) > _LONG else value


def _of_optional(kind: Any) -> _Codec:
    (wanted,) = (member for member in get_args(kind) if member is not NoneType)
    inner = _codec(wanted)
    return _Codec(
        lambda value, put: None if value is None else inner.encode(value, put),
        lambda value, get: None if value is None else inner.decode(value, get),
    )


def _of_collection(kind: Any) -> _Codec:
    make, arguments = get_origin(kind), get_args(kind)
    if make is tuple and arguments[-1] is not Ellipsis:
        members = [_codec(argument) for argument in arguments]
        return _Codec(
            lambda value, put: [m.encode(v, put) for m, v in zip(members, value, strict=True)],
            lambda value, get: tuple(m.decode(v, get) for m, v in zip(members, value, strict=True)),
        )
    inner = _codec(arguments[0])
    return _Codec(
        lambda value, put: [inner.encode(item, put) for item in value],
        lambda value, get: make(inner.decode(item, get) for item in value),
    )


def _of_dataclass(kind: type) -> _Codec:
    hints = get_type_hints(kind)
    known = [(field.name, _codec(hints[field.name]), _default(field)) for field in fields(kind)]
    decoders = {name: codec.decode for name, codec, _ in known}

    def write(value: object, put: Put) -> dict[str, Any]:
        made = {}
        for name, codec, default in known:
            item = getattr(value, name)
            # a type of its own is written out, though it may be equal: 0 and False, 1 and 1.0
            if default is not MISSING and type(item) is type(default) and item == default:
                continue
            made[name] = codec.encode(item, put)
        return made

    def read(value: Mapping[str, Any], get: Get) -> object:
        return kind(**{name: decoders[name](item, get) for name, item in value.items() if name in decoders})

    return _Codec(write, read)


def _of_whole(kind: type) -> _Codec:
    inner = _by_itself(kind)

    @lru_cache(maxsize=128)
    def spelled(value: object) -> str:
        return dumps(inner.encode(value, _inline)).decode("utf-8", "surrogatepass")

    @lru_cache(maxsize=128)
    def read(text: str) -> object:
        return inner.decode(json.loads(text), _none_put_aside)

    return _Codec(lambda value, put: put(spelled(value)), lambda value, get: read(get(value)))


def _inline(text: str) -> Any:
    return text


def _none_put_aside(number: int) -> str:
    raise KeyError(number)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
