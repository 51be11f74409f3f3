"""`lanes ledger` asked of records that a test writes, and what its report says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main

Report = dict[str, Any]
Ask = Callable[..., Report]


def asking(folder: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Asks the command of records and a registry in `folder`, and holds every sum and exit code."""

    def ask(*records: Any, registry: str | None = None, more: tuple[str, ...] = ()) -> Report:
        capture = folder / "capture.jsonl"
        capture.write_text("".join(json.dumps(record) + "\n" for record in records))
        if registry is not None:
            (folder / "lanes.toml").write_text(f'schema_version = 1\nunit = "chars"\n{registry}')
        code = main(["lanes", "ledger", "--quiet", "--format", "json", str(capture), *more])
        report: Report = json.loads(capsys.readouterr().out)
        errors = any(finding["severity"] == "error" for finding in report["findings"])
        assert code == (1 if errors else 0)
        for row in report["requests"]:
            assert row["owned"] + row["dark"] == row["sent"]
        return report

    return ask


def lanes(**texts: str) -> dict[str, Any]:
    return {"lanes": [{"name": name, "text": text} for name, text in texts.items()]}


def told(report: Report, kind: str) -> list[Report]:
    return [finding for finding in report["findings"] if finding["kind"] == kind]


def stanza(name: str, **fields: Any) -> str:
    given = {
        "injector": "app.py",
        "budget": 100_000,
        "priority": 1,
        "trust": "owner",
        "evicts": "cut",
        **fields,
    }
    lines = "".join(
        f"{key} = {json.dumps(value) if not isinstance(value, bool) else str(value).lower()}\n"
        for key, value in given.items()
    )
    return f'[[lane]]\nname = "{name}"\n{lines}'
