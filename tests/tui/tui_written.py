"""A small workspace on disk for the tests of writing: a table that fires, and one that an envelope fools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.cli.opening import session_of
from workbench.files.workspace import load_workspace
from workbench.tui.session import Session

FILES = {
    "workbench.yaml": """\
adapters:
  whole: {use: keyword, table: scenarios/keywords.yaml}
  first: {use: keyword, table: scenarios/first-line.yaml}
""",
    "scenarios/keywords.yaml": """\
keywords:
  - {phrases: [my calendar], tool: calendar::list}
  - {phrases: [send an email], tool: mail::send}
hold: [every morning]
""",
    "scenarios/first-line.yaml": """\
keywords:
  - {phrases: [my calendar], tool: calendar::list}
hold: [every morning]
scan: first-line
""",
    "scenarios/day.yaml": """\
# The day of a person,   with blanks
scenario: day
about: 'Two that fire'   # in single quotes

envelopes: [chat]
prompts:
  # asked by everybody
  - id: today
    text: "what's on my calendar today"    # note the apostrophe
    expect: hold # wrong, on purpose

  - text: |-
      every morning
      tell me of my calendar
    # no id
""",
    "envelopes/chat.yaml": """\
envelope: chat
ingress: channel
template: |-
  <msg from="{sender}">
  {text}
  </msg>
slots: {sender: {example: u1, kind: name}}
source: {from: a log, turns: 3, status: captured}
""",
}


def written(folder: Path, **files: str) -> Path:
    """The workspace in a folder; `files` stand in place of those of the same stem."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files.get(path.stem, text).encode())
    return folder


def session_in(folder: Path) -> Session[Any]:
    """The session that the command would open there."""
    root = folder.resolve()
    return session_of(load_workspace(root), root)
