"""Files read anew: which prompt is which, and what changed, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.core.scenario import Prompt, Scenario
from workbench.core.text import SafeText, join, safe, visible

__all__ = ["Changes", "changes_of", "same_prompts"]

Changes = tuple[SafeText, ...]
"""Each one change, in a few words."""


def same_prompts(before: Sequence[Prompt], after: Sequence[Prompt]) -> dict[str, str]:
    """The labels of old prompts with their labels now. An old prompt that is gone is not in it.

    A prompt is the same by its id, else by its words, else by its place between its neighbours' labels.
    """
    left = {prompt.label: prompt for prompt in before}
    same: dict[str, str] = {}

    def pair(old: Prompt, new: Prompt) -> None:
        same[old.label] = new.label
        del left[old.label]

    rest = list(after)
    for fits in (_same_id, _same_words, _same_label):
        for new in tuple(rest):
            old = next((prompt for prompt in left.values() if fits(prompt, new)), None)
            if old is not None:
                pair(old, new)
                rest.remove(new)
    return same


def _same_id(old: Prompt, new: Prompt) -> bool:
    return old.id is not None and old.id == new.id


def _same_words(old: Prompt, new: Prompt) -> bool:
    return _words(old) == _words(new)


def _same_label(old: Prompt, new: Prompt) -> bool:
    return old.id is None and new.id is None and old.label == new.label


def _words(prompt: Prompt) -> tuple[str, tuple[str, ...]]:
    return prompt.text, tuple(file.name for file in prompt.attach)


def changes_of(before: Mapping[str, Scenario], after: Mapping[str, Scenario]) -> Changes:
    """What is new, gone or changed, scenario by scenario; empty where nothing is."""
    said: list[SafeText] = []
    for name, new in after.items():
        old = before.get(name)
        if old is None:
            said.append(join((visible(name), safe(" is new"))))
        elif words := _changes(old, new):
            said.append(join((visible(name), safe(": "), words)))
    said += [join((visible(name), safe(" is gone"))) for name in before if name not in after]
    return tuple(said)


def _changes(old: Scenario, new: Scenario) -> SafeText | None:
    same = same_prompts(old.prompts, new.prompts)
    then = {prompt.label: prompt for prompt in old.prompts}
    now = {prompt.label: prompt for prompt in new.prompts}
    changed = sum(1 for a, b in same.items() if _told(then[a]) != _told(now[b]))
    counts = (
        (changed, "changed"),
        (len(new.prompts) - len(same), "new"),
        (len(old.prompts) - len(same), "gone"),
    )
    said = [f"{number} prompt{'s' if number > 1 else ''} {word}" for number, word in counts if number]
    accepted = len(new.accept) - len(old.accept)
    if accepted:
        said.append(f"{abs(accepted)} {'more' if accepted > 0 else 'fewer'} accepted")
    if not said and _rest(old) != _rest(new):
        said.append("its settings changed")
    return safe(", ".join(said)) if said else None


def _told(prompt: Prompt) -> tuple[object, ...]:
    """All that a prompt says, without where it stands."""
    return (
        prompt.id,
        prompt.text,
        tuple(file.name for file in prompt.attach),
        prompt.paste.name if prompt.paste else None,
        prompt.substitute,
        prompt.expect,
        prompt.relation,
        prompt.messages,
        prompt.policy,
    )


def _rest(scenario: Scenario) -> tuple[object, ...]:
    return (
        scenario.about,
        scenario.adapters,
        scenario.envelopes,
        scenario.relation,
        scenario.repeat,
        scenario.samples,
        tuple((entry.kind, entry.reason, entry.until) for entry in scenario.accept),
    )
