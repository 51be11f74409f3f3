"""How much of a text an encoder really reads: its own tokenizer is asked where it cuts.

Loaded by its path into the process of `semantic_engine`: standard library only.
"""

# ruff: noqa: B905  (the app's interpreter may not know `strict`)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Where the encoders of semantic-router, and those written after them, keep their tokenizer.
PLACES = (
    ("tokenizer",),
    ("_tokenizer",),
    ("_client", "model", "tokenizer"),
    ("_client", "tokenizer"),
    ("_model", "tokenizer"),
)


def with_window(decide: Callable[[str], dict[str, Any]], encoder: Any) -> Callable[[str], dict[str, Any]]:
    """`decide`, its answers with the span of the text that the encoder read."""
    reader = reader_of(encoder)

    def answer(text: str) -> dict[str, Any]:
        said = decide(text)
        span = reader(text)
        if span is None:
            said["unsure"] = True
            said["flags"].append("its encoder has no tokenizer that can be asked how much it reads")
            span = (0, len(text))
        elif span != (0, len(text)):
            count = span[1] - span[0]
            said["flags"].append(f"the encoder read {count} of {len(text)} characters, and was cut there")
        said["decision"]["spans"] = [list(span)]
        return said

    return answer


def reader_of(encoder: Any) -> Callable[[str], tuple[int, int] | None]:
    """A function from a text to the span that this encoder reads of it, None where that is not known."""
    if hasattr(encoder, "_truncate") and hasattr(encoder, "token_limit"):
        return lambda text: of_prefix(encoder, text)
    for place in PLACES:
        tokenizer = at(encoder, place)
        if hasattr(tokenizer, "encode") and hasattr(tokenizer, "truncation"):  # of the library tokenizers
            return lambda text, own=tokenizer: of_tokenizer(own, text)  # type: ignore[misc]
        if callable(tokenizer) and hasattr(tokenizer, "model_max_length"):  # of transformers
            return lambda text, own=tokenizer: of_transformers(own, text)  # type: ignore[misc]
    return lambda text: None


def at(holder: Any, place: tuple[str, ...]) -> Any:
    for name in place:
        try:
            holder = getattr(holder, name)
        except Exception:  # an attribute of a foreign class may do anything
            return None
    return holder


def of_tokenizer(tokenizer: Any, text: str) -> tuple[int, int] | None:
    encoded = tokenizer.encode(text)
    if not encoded.overflowing:
        return (0, len(text))
    return between(
        offsets for offsets, special in zip(encoded.offsets, encoded.special_tokens_mask) if not special
    )


def of_transformers(tokenizer: Any, text: str) -> tuple[int, int] | None:
    try:
        encoded = tokenizer(
            [text],
            truncation=True,
            return_offsets_mapping=True,
            return_overflowing_tokens=True,
            return_special_tokens_mask=True,
        )
    except (NotImplementedError, TypeError, ValueError):
        return None  # one of the slow tokenizers, which know no places
    if len(encoded["input_ids"]) == 1:
        return (0, len(text))
    pairs = zip(encoded["offset_mapping"][0], encoded["special_tokens_mask"][0])
    return between(offsets for offsets, special in pairs if not special)


def of_prefix(encoder: Any, text: str) -> tuple[int, int] | None:
    """Of an encoder that cuts the text itself. No text has more tokens than bytes."""
    if len(text) * 4 <= encoder.token_limit:
        return (0, len(text))
    kept = encoder._truncate(text)
    if kept == text:
        return (0, len(text))
    end = len(kept)
    while end and not text.startswith(kept[:end]):  # a character that was cut in two is its last
        end -= 1
    return (0, end)


def between(offsets: Any) -> tuple[int, int] | None:
    places = list(offsets)
    if not places:
        return (0, 0)
    return (min(start for start, _ in places), max(end for _, end in places))
