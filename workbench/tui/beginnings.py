"""New files made from what is chosen: a scenario with the same settings, an envelope after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from workbench.core.decision import Json
from workbench.core.envelope import Ingress
from workbench.core.errors import Problem, WorkbenchError
from workbench.core.scenario import Prompt, Scenario
from workbench.files.edit.expectation import spell_expectation
from workbench.files.edit.fresh import new_envelope, new_scenario
from workbench.files.edit.layout import Layout, Splice
from workbench.files.edit.page import value_of
from workbench.files.edit.scenario import free_id
from workbench.files.edit.spell import double_quoted, spelled, spelled_json
from workbench.files.edit.values import new_value
from workbench.files.envelope import load_envelopes, parse_envelope_name, read_envelope
from workbench.files.scenario import read_scenario
from workbench.files.source import decode, read_bytes, source_of
from workbench.tui.drafting import Draft, new_draft

__all__ = ["envelope_like", "envelope_path", "scenario_like", "scenario_path", "why_not_file"]


def scenario_path(root: Path, name: str) -> Path:
    """Where the file of a new scenario goes."""
    return root / "scenarios" / f"{name}.yaml"


def envelope_path(root: Path, name: str) -> Path:
    """Where the file of a new envelope goes."""
    return root / "envelopes" / f"{name}.yaml"


def why_not_file(path: Path) -> str | None:
    """Why a new file cannot have that name, in our own words; None where it can."""
    taken = [other for other in (path, path.with_suffix(".yml")) if other.exists()]
    return f"there is a {path.parent.name[:-1]} file of that name already" if taken else None


def scenario_like(name: str, root: Path, scenario: Scenario | None, prompt: Prompt | None) -> Draft:
    """A new scenario with the settings of another and one of its prompts; without one, an example.

    Raises WorkbenchError where it cannot be made. Nothing is written.
    """
    path = scenario_path(root, name)
    text = new_scenario(name, path, root)
    if scenario is None or prompt is None:
        return new_draft(path, root, text)
    if Path(scenario.file).absolute().parent != path.parent and (prompt.attach or prompt.paste):
        hint = "choose a prompt without one"
        raise WorkbenchError(Problem("the prompt's file is named from another folder", hint=hint))
    lines = [f"scenario: {spelled(name, flow=False)}", *_settings(scenario), "prompts:"]
    name_of_prompt = prompt.id or free_id(replace(scenario, prompts=()), prompt.text)
    pairs = list(_prompt(prompt, name_of_prompt))
    lines += [f"{'  - ' if number == 0 else '    '}{pair}" for number, pair in enumerate(pairs)]
    text = "\n".join(lines) + "\n"
    read_scenario(source_of(text, str(path)), root)
    line = next(number for number, said in enumerate(lines, 1) if said.startswith("    text: "))
    return new_draft(path, root, text, line, len("    text: ") + 1)


def _settings(scenario: Scenario) -> Iterator[str]:
    for key, value in (("adapters", scenario.adapters), ("envelopes", scenario.envelopes)):
        if value is not None:
            yield f"{key}: {spelled_json(list(value))}"
    if scenario.relation is not None:
        yield f"relation: {scenario.relation.value}"
    if scenario.repeat is not None:
        yield f"repeat: {scenario.repeat}"
    if "samples" in scenario.marks:
        yield f"samples: {{max: {scenario.samples.max}, delta: {scenario.samples.delta:g}}}"


def _prompt(prompt: Prompt, name: str) -> Iterator[str]:
    yield f"id: {spelled(name, flow=False)}"
    yield f"text: {spelled(prompt.text, flow=False) if prompt.text else double_quoted('')}"
    if prompt.attach:
        names: Json = [file.name for file in prompt.attach]
        yield f"attach: {spelled_json(names)}"
    if prompt.paste is not None:
        yield f"paste: {spelled(prompt.paste.name, flow=False)}"
    if prompt.substitute is not None:
        yield f"substitute: {spelled(prompt.substitute, flow=False)}"
    if prompt.expect is not None:
        yield f"expect: {spell_expectation(prompt.expect, flow=False)}"
    if prompt.relation is not None:
        yield f"relation: {prompt.relation.value}"
    if prompt.policy is not None:
        yield f"policy: {spelled(prompt.policy, flow=False)}"
    if prompt.messages:
        said: Json = [{"role": message.role, "content": message.content} for message in prompt.messages]
        yield f"messages: {spelled_json(said)}"


def envelope_like(name: str, root: Path, arm: str | None, ingress: Ingress = Ingress.CHANNEL) -> Draft:
    """A new envelope after that of an arm, comments and all; an example where the arm has none.

    What it says of its source is not taken along: nobody captured this one. Raises WorkbenchError.
    """
    path = envelope_path(root, name)
    example = new_envelope(name, path, ingress)
    known = _envelope_of(arm, root)
    if known is None:
        return new_draft(path, root, example, *_template_place(example, path))
    layout = Layout(decode(read_bytes(known), str(known)), str(known))
    read_envelope(layout.source)
    flow = layout.is_flow(layout.root)
    splices: list[Splice] = []
    for key, value in (
        ("envelope", spelled(name, flow=flow)),
        ("source", spelled_json({"from": f"after {known.stem}", "status": "hand-written"})),
    ):
        found = value_of(layout.root, key)
        splices += new_value(layout, *found, value) if found is not None else []
    text = layout.spliced(splices).removeprefix("\ufeff").replace("\r\n", "\n")
    read_envelope(source_of(text, str(path)))
    return new_draft(path, root, text, *_template_place(text, path))


def _template_place(text: str, path: Path) -> tuple[int, int]:
    layout = Layout(text, str(path))
    found = value_of(layout.root, "template")
    mark = layout.source.mark(found[1].start) if found is not None else layout.source.mark(0)
    return mark.line, mark.column


def _envelope_of(arm: str | None, root: Path) -> Path | None:
    """The file of the outermost envelope of an arm; None for one that is no envelope."""
    if arm is None:
        return None
    try:
        return load_envelopes(root).get(parse_envelope_name(arm)[0])
    except WorkbenchError:
        return None
