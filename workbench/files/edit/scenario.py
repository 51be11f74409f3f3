"""The edits of a scenario file. Each returns the whole new text; `save` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.scenario import Accept, Attach, Expectation, Prompt, Scenario
from workbench.files.edit.expectation import spell_expectation
from workbench.files.edit.layout import Splice
from workbench.files.edit.page import Page, value_of
from workbench.files.edit.spell import is_block, literal, spelled, spelled_json
from workbench.files.edit.values import added_item, added_key, new_text, new_value

__all__ = ["accept", "add_prompt", "free_id", "freeze", "set_text"]


def freeze(page: Page, label: str, expect: Expectation) -> str:
    """What is expected of a prompt from now on. Raises WorkbenchError where it cannot be written."""
    number, prompt, node = page.prompt(label)
    layout = page.layout
    value = spell_expectation(expect, flow=layout.is_flow(node))
    old = value_of(node, "expect")
    splices = [added_key(layout, node, "expect", value)] if old is None else new_value(layout, *old, value)
    wanted = _with_prompt(page.scenario, number, replace(prompt, expect=expect))
    return page.edited(splices, wanted, prompt.mark.line)


def set_text(page: Page, label: str, text: str) -> str:
    """Other words for a prompt. Raises WorkbenchError where they cannot be written."""
    number, prompt, node = page.prompt(label)
    found = value_of(node, "text")
    assert found is not None
    splices = new_text(page.layout, *found, text, flow=page.layout.is_flow(node))
    wanted = _with_prompt(page.scenario, number, replace(prompt, text=text))
    return page.edited(splices, wanted, prompt.mark.line)


def accept(page: Page, entry: Accept) -> str:
    """One more known finding. Raises WorkbenchError where it cannot be written."""
    layout, root = page.layout, page.layout.root
    given = {"kind": entry.kind, "arm": entry.arm, "adapter": entry.adapter, "prompt": entry.prompt}
    pairs = [(key, _word(value)) for key, value in given.items() if value is not None]
    pairs.append(("reason", spelled(entry.reason, flow=True)))
    if entry.until is not None:
        pairs.append(("until", entry.until))
    found = value_of(root, "accept")
    if found is not None:
        listed = found[1]
        splice = added_item(layout, listed, listed.items[-1] if listed.items else None, pairs)
    else:
        item = "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        splice = _first_accept(page, item)
    wanted = replace(page.scenario, accept=(*page.scenario.accept, entry))
    return page.edited([splice], wanted, page.layout.source.mark(splice.start).line)


def add_prompt(page: Page, prompt: Prompt, after: str | None = None) -> str:
    """A prompt, that has an id, behind another one or as the last.

    Prompts without an id that come behind it have a new number; where `accept` names one by its number,
    it is written anew. Raises WorkbenchError where that cannot be done.
    """
    layout, scenario = page.layout, page.scenario
    if prompt.id is None:
        raise WorkbenchError("a new prompt needs an id")
    at, before, node = page.prompt(scenario.prompts[-1].label if after is None else after)
    found = value_of(layout.root, "prompts")
    assert found is not None
    in_block = not (layout.is_flow(found[1]) or layout.is_flow(node))
    pairs = list(_pairs(prompt, page, flow=not in_block))
    if in_block and "\n" in prompt.text and is_block(prompt.text):
        header, lines = literal(prompt.text, layout.column(found[1].start) + 4)
        pairs[1] = ("text", "\n".join((header, *lines)))
    splice = added_item(layout, found[1], node, pairs)
    prompts = (*scenario.prompts[: at + 1], replace(prompt, label=prompt.id), *scenario.prompts[at + 1 :])
    moved = {
        old.label: str(number) for number, old in enumerate(scenario.prompts[at + 1 :], at + 3) if not old.id
    }
    wanted = replace(
        scenario,
        prompts=tuple(
            item if item.id else replace(item, label=str(number)) for number, item in enumerate(prompts, 1)
        ),
        accept=tuple(
            replace(entry, prompt=moved.get(entry.prompt, entry.prompt) if entry.prompt else None)
            for entry in scenario.accept
        ),
    )
    return page.edited([splice, *_renumbered(page, at)], wanted, before.mark.line)


def free_id(scenario: Scenario, text: str) -> str:
    """An id for a new prompt, made of its first words, that no prompt of the scenario has."""
    words = re.findall(r"[a-z0-9]+", text.casefold())[:3]
    name = "-".join(words)[:40].strip("-")
    if not name or name.isdigit():
        name = f"prompt-{name}".rstrip("-")
    taken = {prompt.label for prompt in scenario.prompts}
    numbers = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbers if other not in taken)


def _word(value: str) -> str:
    """A name, or a number that names a prompt."""
    return value if value.isdecimal() and value.isascii() else spelled(value, flow=True)


def _first_accept(page: Page, item: str) -> Splice:
    """The key `accept` with its first entry, laid out as the prompts are."""
    layout, root = page.layout, page.layout.root
    found = value_of(root, "prompts")
    assert found is not None
    if layout.is_flow(root):
        return added_key(layout, root, "accept", f"[{item}]")
    margin = layout.column(root.pairs[0][0].start)
    dash = margin + 2 if layout.is_flow(found[1]) else layout.column(found[1].start)
    lines = [f"{' ' * margin}accept:", f"{' ' * dash}- {item}"]
    key, value = root.pairs[-1]
    return layout.lines_after(max(key.end, layout.end_of(value)), lines)


def _with_prompt(scenario: Scenario, number: int, prompt: Prompt) -> Scenario:
    prompts = (*scenario.prompts[:number], prompt, *scenario.prompts[number + 1 :])
    return replace(scenario, prompts=prompts)


def _pairs(prompt: Prompt, page: Page, *, flow: bool) -> Iterator[tuple[str, str]]:
    """The keys of a prompt, each value on one line."""
    yield "id", spelled(prompt.id or "", flow=flow)
    yield "text", spelled(prompt.text, flow=flow)
    if prompt.attach:
        yield "attach", _files(prompt.attach)
    if prompt.paste:
        yield "paste", spelled(prompt.paste.name, flow=flow)
    if prompt.substitute is not None:
        yield "substitute", spelled(prompt.substitute, flow=flow)
    if prompt.expect:
        yield "expect", spell_expectation(prompt.expect, flow=flow)
    if prompt.relation:
        yield "relation", prompt.relation.value
    if prompt.policy is not None and not _is_default_policy(prompt.policy, page):
        yield "policy", spelled(prompt.policy, flow=flow)
    if prompt.messages:
        yield (
            "messages",
            spelled_json([{"role": message.role, "content": message.content} for message in prompt.messages]),
        )


def _files(files: Sequence[Attach]) -> str:
    names = [file.name for file in files]
    return spelled(names[0], flow=True) if len(names) == 1 else spelled_json(names)


def _is_default_policy(policy: str, page: Page) -> bool:
    found = value_of(page.layout.root, "policy")
    return found is not None and found[1].value == policy


def _renumbered(page: Page, at: int) -> Iterator[Splice]:
    """The numbers in `accept` of the prompts behind place `at`, one higher."""
    found = value_of(page.layout.root, "accept")
    ids = {prompt.id for prompt in page.scenario.prompts}
    for item in found[1].items if found else ():
        named = value_of(item, "prompt")
        if named is None or named[1].value in ids or not named[1].value.isdecimal():
            continue
        number = int(named[1].value)
        if number > at + 1:
            yield Splice(named[1].start, page.layout.end_of(named[1]), str(number + 1))
