"""The encoders that have a short name, over stand-ins for what they load: nothing is downloaded."""

from __future__ import annotations

import http.server
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from process_kit import ask_all
from semantic_kit import app, semantic, vector

from workbench.core.decision import WindowSource
from workbench.core.trial import Status

pytest.importorskip("semantic_router", reason="the extra [semantic] is not installed")

# fastembed 0.7: TextEmbedding(...).embed(texts) gives arrays, .model.tokenizer is of the library tokenizers.
FASTEMBED = """
from types import SimpleNamespace

import numpy
from hashing import vector

ASKED = {}


class Tokenizer:
    def __init__(self, most):
        self.most, self.truncation = most, {"max_length": most}

    def encode(self, text):
        spans, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        kept = spans[: self.most - 2]
        return SimpleNamespace(
            offsets=[(0, 0), *kept, (0, 0)],
            special_tokens_mask=[1, *(0 for _ in kept), 1],
            overflowing=[1] if len(spans) > len(kept) else [],
        )


class TextEmbedding:
    def __init__(self, model_name, max_length=512, **options):
        if options:
            raise TypeError(f"unknown: {options}")
        with open("asked", "a") as asked:
            asked.write(f"{model_name} {max_length}\\n")
        self.model = SimpleNamespace(tokenizer=Tokenizer(max_length))

    def embed(self, texts):
        for text in texts:
            encoded = self.model.tokenizer.encode(text)
            end = max(edge for _, edge in encoded.offsets)
            yield numpy.array(vector(text[:end]))
"""


async def test_fastembed_and_where_it_cuts(tmp_path: Path) -> None:
    app(tmp_path, fastembed=FASTEMBED)
    adapter = semantic(tmp_path, sys.executable, encoder="fastembed", model="small/en")
    long = "word " * 600 + "book a meeting"
    short, cut = await ask_all(adapter, "book a meeting", long)
    assert short.decision is not None, short.error
    assert short.decision.tools == ("create_event",)
    assert (tmp_path / "asked").read_text("utf-8") == "small/en 512\n"
    assert cut.decision is not None
    assert cut.decision.tools != ("create_event",)
    window = cut.decision.window
    assert window is not None
    assert (window.source, window.spans) == (WindowSource.REPORTED, ((0, 5 * 510 - 1),))
    assert cut.decision.flags == (f"the encoder read 2549 of {len(long)} characters, and was cut there",)


async def test_an_encoders_own_arguments_reach_it(tmp_path: Path) -> None:
    app(tmp_path, fastembed=FASTEMBED)
    adapter = semantic(tmp_path, sys.executable, encoder="fastembed", encoder_options={"max_length": 5})
    (cut,) = await ask_all(adapter, "book a meeting with everybody")
    assert cut.decision is not None, cut.error
    assert cut.decision.window is not None
    assert cut.decision.window.text == "book a meeting"


async def test_a_missing_library_says_what_to_install(tmp_path: Path) -> None:
    app(tmp_path, fastembed="raise ImportError('no fastembed here')\n")
    (failed,) = await ask_all(semantic(tmp_path, sys.executable, encoder="fastembed"), "hello")
    assert (failed.status, failed.fatal) == (Status.ERROR, True)
    assert failed.error is not None
    assert "pip install 'semantic-router[fastembed]'" in failed.error


TRANSFORMERS = """
from types import SimpleNamespace

from torch import Tensor
from hashing import vector


class Batch(dict):
    def to(self, device):
        return self


class Tokenizer:
    model_max_length = 6

    def __call__(self, texts, **asked):
        self.texts = texts
        rows = []
        for text in texts:
            spans, at = [], 0
            for word in text.split():
                at = text.index(word, at)
                spans.append((at, at + len(word)))
                at += len(word)
            size = self.model_max_length - 2
            rows += [spans[i : i + size] for i in range(0, max(1, len(spans)), size)]
        batch = Batch(input_ids=rows, attention_mask=Tensor(None))
        if asked.get("return_offsets_mapping"):
            batch["offset_mapping"] = [[(0, 0), *row, (0, 0)] for row in rows]
            batch["special_tokens_mask"] = [[1, *(0 for _ in row), 1] for row in rows]
        return batch


class AutoTokenizer:
    @staticmethod
    def from_pretrained(name, **options):
        AutoTokenizer.made = Tokenizer()
        return AutoTokenizer.made


class Model:
    def to(self, device):
        return self

    def __call__(self, **given):
        return [Tensor([vector(" ".join(text.split()[:4])) for text in AutoTokenizer.made.texts])]


class AutoModel:
    @staticmethod
    def from_pretrained(name, **options):
        return Model()
"""

TORCH = '''
import contextlib
from types import SimpleNamespace

cuda = SimpleNamespace(is_available=lambda: False)
no_grad = contextlib.nullcontext


class Tensor:
    """The vectors, whatever is done to them: pooling and length are not what is tested."""

    def __init__(self, rows):
        self.rows = rows

    def __mul__(self, other):
        return self if self.rows is not None else other

    def __truediv__(self, other):
        return self

    def unsqueeze(self, axis):
        return self

    def expand(self, size):
        return self

    def float(self):
        return self

    def size(self):
        return None

    def sum(self, axis):
        return self

    def tolist(self):
        return self.rows


def sum(tensor, axis):
    return tensor


def clamp(tensor, min):
    return tensor


nn = SimpleNamespace(functional=SimpleNamespace(normalize=lambda tensor, p, dim: tensor))
'''


async def test_huggingface_and_where_it_cuts(tmp_path: Path) -> None:
    app(tmp_path, torch=TORCH, transformers=TRANSFORMERS)
    adapter = semantic(tmp_path, sys.executable, encoder="huggingface", model="some/model")
    short, cut = await ask_all(adapter, "book a meeting", "one two three  four book a meeting")
    assert short.decision is not None, short.error
    assert short.decision.tools == ("create_event",)
    assert short.decision.flags == ()
    assert cut.decision is not None
    assert cut.decision.window is not None
    assert cut.decision.window.text == "one two three  four"
    assert cut.decision.tools != ("create_event",)


# Words as tokens: the real one fetches its table.
TIKTOKEN = """
import re


class Encoding:
    def __init__(self):
        self.known = []

    def encode_ordinary(self, text):
        parts = re.findall(r"\\S+\\s*|\\s+", text)
        self.known += parts
        return [self.known.index(part) for part in parts]

    encode = encode_ordinary

    def decode(self, tokens):
        return "".join(self.known[token] for token in tokens)


def encoding_for_model(name):
    return Encoding()


def get_encoding(name):
    return Encoding()
"""


class Embeddings(http.server.BaseHTTPRequestHandler):
    """The documented endpoint, as far as the client needs it."""

    seen: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(  # type: ignore[attr-defined]
            {"path": self.path, "key": self.headers["Authorization"], **body}
        )
        made = [
            {"object": "embedding", "index": number, "embedding": vector(text)}
            for number, text in enumerate(body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = json.dumps({"object": "list", "data": made, "model": body["model"], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *said: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def openai() -> Iterator[Any]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
    server.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


async def test_openai_and_where_it_cuts(tmp_path: Path, openai: Any) -> None:
    app(tmp_path, tiktoken=TIKTOKEN)
    adapter = semantic(
        tmp_path,
        sys.executable,
        encoder="openai",
        model="text-embedding-3-small",
        env={
            "OPENAI_API_KEY": "stand-in-key",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{openai.server_port}/v1",
        },
    )
    long = "word " * 9000 + "book a meeting"
    short, cut = await ask_all(adapter, "book a meeting", long)
    assert short.decision is not None, short.error
    assert short.decision.tools == ("create_event",)
    assert {(one["path"], one["key"], one["model"]) for one in openai.seen} == {
        ("/v1/embeddings", "Bearer stand-in-key", "text-embedding-3-small")
    }
    assert cut.decision is not None, cut.error
    assert cut.decision.window is not None
    # the client itself cuts to one token less than the 8,192 that it names
    assert openai.seen[-1]["input"] == [cut.decision.window.text] == ["word " * 8191]
    assert cut.decision.window.spans == ((0, 5 * 8191),)
