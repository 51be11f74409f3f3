"""A value as it is written, but for its secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.files.workspace import load_workspace
from workbench.files.written import as_written

SHAPED = "h" + "f_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain: [a, 'b']", "[a, 'b']"),
        ("key: {env: SOME_KEY}", "{env: SOME_KEY}"),
        ("headers: {X-Api-Key: abc, Accept: text}", "{X-Api-Key: [secret], Accept: text}"),
        ("headers: {Authorization: {env: NAME}}", "{Authorization: {env: NAME}}"),
        ('send: {deep: {"password": "a b"}, n: 1}', '{deep: {"password": [secret]}, n: 1}'),
        ("body: {api_key: [one, two], stop: x}", "{api_key: [[secret], [secret]], stop: x}"),
        ("url: 'http://h/p?key=abc&page=2'", "'http://h/p?key=[secret]&page=2'"),
        (f"note: see {SHAPED} there", "see [secret] there"),
        ("max_tokens: 64", "64"),
    ],
)
def test_only_secrets_are_masked(tmp_path: Path, value: str, shown: str) -> None:
    (tmp_path / "workbench.yaml").write_text(f"adapters:\n  one:\n    use: x\n    {value}\n")
    [(key, node)] = load_workspace(tmp_path).adapters["one"].options.items()
    assert as_written(key, node) == shown
