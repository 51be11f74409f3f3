"""Files with one mistake each: one problem, at the line and column where the mistake stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.files.envelope import load_envelope
from workbench.files.keywords import load_keywords
from workbench.files.scenario import load_scenario
from workbench.files.workspace import load_workspace

# In every text "¶" stands right before the place of the mistake; it is taken out before writing.
PLACE = "¶"

YAML = {
    "an unclosed double quote": ('scenario: s\nprompts:\n  - text: ¶"never closed\n', "never closed"),
    "an unclosed single quote": ("scenario: s\nprompts: [{text: ¶'it}]\n", "never closed"),
    "an unclosed bracket": ("scenario: s\nadapters: ¶[one, two\nprompts:\n  - text: hi\n", "never closed"),
    "a bracket closed by a brace": (
        "scenario: s\nadapters: [one, two¶}\nprompts: [{text: hi}]\n",
        'expected ","',
    ),
    "a colon in plain text": ("scenario: s\nprompts:\n  - text: remind me¶: call\n", "no key can stand"),
    "a tab as indentation": ("scenario: s\nprompts:\n¶\t- text: hi\n", "a tab"),
    "text that begins with an at sign": (
        "scenario: s\nprompts:\n  - text: ¶@doc:notes\n",
        'may not begin with "@"',
    ),
    "text that begins with a backtick": ("scenario: s\nprompts: [{text: ¶`ls`}]\n", "may not begin with"),
    "a line that is no key": ("scenario: s\n¶prompts\nadapters: [a]\n", "neither a key"),
    "a key indented too deep": ("scenario: s\nprompts:\n  - text: hi\n     id¶: a\n", "no key can stand"),
    "text after a quote": ("scenario: s\nprompts:\n  - text: 'it'¶s late'\n", "does not belong"),
    "a list on its key's line": ("scenario: s\nprompts: ¶- text: hi\n", 'a "-" where no list'),
    "an unknown escape": ('scenario: s\nprompts:\n  - text: "a ¶\\q b"\n', "escape"),
    "a short escape": ('scenario: s\nprompts: [{text: "\\x¶4"}]\n', "hexadecimal"),
    "a question mark in a list": ("scenario: s\nprompts: [{text: why¶?}]\n", "quote"),
    "a second document": ("scenario: s\nprompts: [{text: hi}]\n¶---\nscenario: t\n", "second document"),
    "a tag": ("scenario: s\nprompts: [{text: ¶!!python/object/apply:os.getcwd []}]\n", "!!python/object"),
    "a tag on text": ("scenario: ¶!!str s\nprompts: [{text: hi}]\n", "!!str"),
    "an alias without an anchor": ("scenario: s\nprompts: [{text: ¶*other}]\n", "stands for nothing"),
    "a control character": ("scenario: s\nprompts:\n  - text: bell ¶\x07 here\n", "U+0007"),
    "a carriage return by itself": (
        "scenario: s\nprompts:\n  - text: |\n      50 %¶\r      100 %\n",
        "line feed",
    ),
    "a merge key": ("scenario: s\nprompts: [{¶<<: {text: hi}, text: hi}]\n", "merge keys"),
}

SCENARIO = {
    "an empty file": ("¶", "expected a mapping"),
    "a list at the top": ("¶- text: hi\n", "expected a mapping with scenario, prompts, found a list"),
    "no prompts": ("¶scenario: s\nabout: nothing\n", '"prompts" is missing'),
    "a slip in a required key": ("scenario: s\n¶promts:\n  - text: hi\n", 'did you mean "prompts"?'),
    "an unknown key": ("scenario: s\n¶retries: 3\nprompts: [{text: hi}]\n", 'unknown key "retries"'),
    "a key that stands twice": ("scenario: s\nprompts: [{text: hi}]\n¶scenario: t\n", "stands twice"),
    "a prompt without text": ("scenario: s\nprompts:\n  - ¶id: a\n    expect: hold\n", '"text" is missing'),
    "text without a value": ("scenario: s\nprompts:\n  - ¶text:\n    expect: hold\n", "found nothing"),
    "null as text": ("scenario: s\nprompts:\n  - text: ¶~\n", "null"),
    "a prompt that is a word": ("scenario: s\nprompts:\n  - ¶hello\n", "expected a mapping with text"),
    "an empty list of prompts": ("scenario: s\nprompts: ¶[]\n", "no prompt"),
    "an id with a hash": ("scenario: s\nprompts:\n  - {id: ¶a#b, text: hi}\n", "cannot be an id"),
    "an id that stands twice": (
        "scenario: s\nprompts:\n  - {id: a, text: x}\n  - {text: y, id: ¶a}\n",
        "twice",
    ),
    "an id that is another's number": (
        "scenario: s\nprompts:\n  - text: x\n    id: ¶2\n  - text: y\n",
        "number",
    ),
    "a word for a number": (
        "scenario: s\nrepeat: ¶twice\nprompts: [{text: hi}]\n",
        "expected a whole number",
    ),
    "a number in quotes": ("scenario: s\nrepeat: ¶'2'\nprompts: [{text: hi}]\n", "take the quotes away"),
    "no repetition": ("scenario: s\nrepeat: ¶0\nprompts: [{text: hi}]\n", "at least 1"),
    "a share above one": (
        "scenario: s\nsamples: {max: 9, delta: ¶1.5}\nprompts: [{text: hi}]\n",
        "from 0.001",
    ),
    "an unknown relation": ("scenario: s\nrelation: ¶no-strong\nprompts: [{text: hi}]\n", '"no-stronger"'),
    "an unknown expectation": (
        "scenario: s\nprompts:\n  - text: hi\n    expect: ¶holt\n",
        'did you mean "hold"?',
    ),
    "a rate above one": ("scenario: s\nprompts: [{text: hi, expect: {max_rate: ¶5}}]\n", "from 0 to 1"),
    "a call of nothing": (
        "scenario: s\nprompts: [{text: hi, expect: {outcome: pass, tool: ¶t}}]\n",
        "calls nothing",
    ),
    "a file that is not there": (
        "scenario: s\nprompts:\n  - text: hi\n    attach: ¶no.txt\n",
        "does not exist",
    ),
    "a file outside": ("scenario: s\nprompts:\n  - {text: hi, attach: [¶../../etc/passwd]}\n", "outside"),
    "a folder as a file": ("scenario: s\nprompts:\n  - {text: hi, paste: ¶.}\n", "is not a file"),
    "a wrong role": (
        "scenario: s\nprompts:\n  - text: hi\n    messages: [{role: ¶usr, content: a}]\n",
        '"user"',
    ),
    "an envelope that none can be": (
        "scenario: s\nenvelopes: [¶reply(]\nprompts: [{text: hi}]\n",
        "names no envelope",
    ),
    "a reserved envelope": ("scenario: s\nenvelopes: [¶attach]\nprompts: [{text: hi}]\n", "no envelope"),
    "an adapter named twice": ("scenario: s\nadapters: [a, ¶a]\nprompts: [{text: hi}]\n", "stands twice"),
    "an accept without a reason": (
        "scenario: s\nprompts: [{text: hi}]\naccept:\n  - ¶kind: drift\n    arm: reply\n",
        '"reason" is missing',
    ),
    "an accept of no kind": (
        "scenario: s\nprompts: [{text: hi}]\naccept: [{reason: r, kind: ¶drifft}]\n",
        'did you mean "drift"?',
    ),
    "an accept until no day": (
        "scenario: s\nprompts: [{text: hi}]\naccept:\n  - {kind: drift, reason: r, until: ¶2027-02-30}\n",
        "a date",
    ),
    "an accept of another's prompt": (
        "scenario: s\nprompts: [{text: hi, id: build}]\naccept: [{kind: drift, reason: r, prompt: ¶buld}]\n",
        'did you mean "build"?',
    ),
}

HEAD = "envelope: broken\ningress: channel\n"
ENVELOPE = {
    "no ingress": ("¶envelope: broken\ntemplate: '{text}'\n", '"ingress" is missing'),
    "an unknown ingress": (
        "envelope: broken\ningress: ¶chanel\ntemplate: '{text}'\n",
        'did you mean "channel"?',
    ),
    "no place for the words": (HEAD + "template: ¶no words here\n", "there is no {text}"),
    "a slot that is not declared": (
        HEAD + 'template: |-\n  <m from="¶{sender}">\n  {text}\n  </m>\n',
        "{sender} is not declared",
    ),
    "a slip in a slot": (
        HEAD + "template: |-\n  from ¶{sendr}\n  {text}\nslots: {sender: {example: u1}}\n",
        "did you mean {sender}?",
    ),
    "a slot that is not used": (
        HEAD + "template: '{text}'\nslots: {¶sender: {example: u}}\n",
        "not in the template",
    ),
    "the words declared as a slot": (
        HEAD + "template: '{text}'\nslots: {¶text: {example: a}}\n",
        "no slot of yours",
    ),
    "an example of another kind": (
        HEAD + "template: '{n} {text}'\nslots:\n  n:\n    kind: number\n    example: ¶many\n",
        "of the kind number",
    ),
    "an unknown kind": (
        HEAD + "template: '{n}{text}'\nslots: {n: {kind: ¶nmber}}\n",
        'did you mean "number"?',
    ),
    "an unknown author": (
        HEAD + "template: '{n}{text}'\nslots: {n: {example: a}}\nregions: {n: ¶quotes}\n",
        'did you mean "quoted"?',
    ),
    "an author of no slot": (HEAD + "template: '{text}'\nregions: {¶earlier: quoted}\n", "no slot of this"),
    "an unknown transform": (HEAD + "template: '{text}'\ntransform: [trim, ¶html-escpe]\n", '"html-escape"'),
    "a cut without a length": (HEAD + "template: '{text}'\ntransform: [¶truncate]\n", "needs a length"),
    "a cut to nothing": (HEAD + "template: '{text}'\ntransform: [{truncate: ¶0}]\n", "at least 1"),
    "a name with a capital": ("envelope: ¶Broken\ningress: reply\ntemplate: '{text}'\n", "cannot name"),
    "a reserved name": ("envelope: ¶paste\ningress: reply\ntemplate: '{text}'\n", "reserved"),
    "a name unlike its file's": ("envelope: ¶other\ningress: reply\ntemplate: '{text}'\n", "in a file named"),
    "a source that is a word": (HEAD + "template: '{text}'\nsource: ¶logs\n", "expected a mapping"),
    "an unknown status": (
        HEAD + "template: '{text}'\nsource: {status: ¶capture}\n",
        'did you mean "captured"?',
    ),
}

TABLE = {
    "no keywords": ("¶hold: [workflow]\n", '"keywords" is missing'),
    "an entry without a tool": ("keywords:\n  - ¶phrases: [a]\n", '"tool" is missing'),
    "a blank phrase": ("keywords:\n  - {phrases: [ok, ¶'  '], tool: t}\n", "only blanks"),
    "no phrase": ("keywords:\n  - {phrases: ¶[], tool: t}\n", "no phrase"),
    "one phrase that is no list": (
        "keywords:\n  - {phrases: ¶my calendar, tool: t}\n",
        "put it in [ ]",
    ),
    "null among phrases": ("keywords:\n  - phrases:\n      - one\n      - ¶null\n    tool: t\n", "null"),
    "a phrase of two tools": (
        "keywords:\n  - {phrases: [my Calendar], tool: a}\n  - {phrases: [other, ¶MY  calendar], tool: b}\n",
        'another tool already: "a"',
    ),
    "yes for true": ("keywords:\n  - {phrases: [a], tool: t, side_effects: ¶yes}\n", "true or false"),
    "an unknown scan": ("keywords: []\nscan: ¶firstline\n", 'did you mean "first-line"?'),
    "an unknown verdict": ("keywords: []\nprose: ¶pass\n", "one of fire, hold"),
}

WORKSPACE = {
    "no adapters": ("¶adaptrs: {}\n", 'did you mean "adapters"?'),
    "adapters that are nothing": ("¶adapters:\n", "found nothing"),
    "an adapter without use": ("adapters:\n  a: ¶{table: t.yaml}\n", '"use" is missing'),
    "a slip in use": ("adapters:\n  a: {¶ues: keyword, table: t.yaml}\n", 'did you mean "use"?'),
    "a name with a colon": ("adapters:\n  ¶'a:b': {use: keyword}\n", "cannot name an adapter"),
    "an adapter that is a word": ("adapters: {a: ¶keyword}\n", "expected a mapping with use"),
    "an adapter declared twice": ("adapters:\n  a: {use: x}\n  ¶a: {use: y}\n", "stands twice"),
}


def _scenario(folder: Path, text: str) -> None:
    path = folder / "scenarios" / "broken.yaml"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    load_scenario(path, folder)


def _envelope(folder: Path, text: str) -> None:
    path = folder / "broken.yaml"
    path.write_bytes(text.encode())
    load_envelope(path)


def _table(folder: Path, text: str) -> None:
    path = folder / "broken.yaml"
    path.write_bytes(text.encode())
    load_keywords(path)


def _workspace(folder: Path, text: str) -> None:
    (folder / "workbench.yaml").write_bytes(text.encode())
    load_workspace(folder)


CASES = [
    pytest.param(read, text, told, id=f"{read.__name__[1:]}: {name}")
    for read, table in (
        (_scenario, YAML | SCENARIO),
        (_envelope, ENVELOPE),
        (_table, TABLE),
        (_workspace, WORKSPACE),
    )
    for name, (text, told) in table.items()
]


@pytest.mark.parametrize(("read", "text", "told"), CASES)
def test_one_mistake_is_one_problem_at_its_place(
    tmp_path: Path, read: Callable[[Path, str], None], text: str, told: str
) -> None:
    before, sign, after = text.partition(PLACE)
    assert sign and PLACE not in after
    line = before.count("\n") + before.count("\r") + 1
    column = len(before) - max(before.rfind("\n"), before.rfind("\r"))
    with pytest.raises(WorkbenchError) as caught:
        read(tmp_path, before + after)
    problems = caught.value.problems
    assert len(problems) == 1, problems
    mark = problems[0].mark
    assert mark is not None
    assert (mark.line, mark.column) == (line, column), problems[0]
    assert Path(mark.file).is_relative_to(tmp_path)
    assert told in str(problems[0])


def test_there_are_at_least_fifty() -> None:
    assert len(CASES) >= 50
