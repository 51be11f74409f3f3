"""Lays out the cells of a run, scenario after scenario, and collects what stands against it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.envelope import Envelope
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Attach, Prompt, Scenario
from workbench.core.turn import Attachment
from workbench.files.problems import shown
from workbench.replay.arms import Arm, Chain, Documents, app_arms, arms
from workbench.replay.choice import Choice, choose_adapters, choose_chains, choose_prompts

__all__ = ["DEFAULT_REPEAT", "Planner"]

DEFAULT_REPEAT = 2


class Planner:
    """Deliveries and repeats grow with every scenario added; so do `problems`, none of which is raised."""

    def __init__(
        self,
        envelopes: Mapping[str, Envelope],
        adapters: Mapping[str, AdapterInfo],
        read: Documents,
        choice: Choice,
    ) -> None:
        self.deliveries: dict[CellKey, Delivery] = {}
        self.repeats: dict[CellKey, int] = {}
        self.whole: set[str] = set()
        self.accept: dict[str, tuple[Accept, ...]] = {}
        self.problems: list[Problem] = []
        self._envelopes = envelopes
        self._adapters = adapters
        self._read = read
        self._choice = choice
        self._documents: dict[Attach, Attachment] = {}
        self._files: dict[str, str] = {}
        self._asked: dict[str, Chain] = {}

    def add(self, scenario: Scenario) -> None:
        """One more scenario. The same file again changes nothing."""
        known = self._files.setdefault(scenario.name, scenario.file)
        if known != scenario.file:
            message = f"another scenario is called {shown(scenario.name)} too: {known}"
            self.problems.append(Problem(message, scenario.marks.get("scenario", Mark(scenario.file))))
        else:
            self._add(scenario)

    def unused(self) -> Iterator[Problem]:
        """The envelopes that the command line asks for by name, and that no cell has."""
        framed = {key.arm for key in self.deliveries}
        for name, chain in self._asked.items():
            if name not in framed:
                yield Problem(f"--envelope {name} is not used: {self._why_unused(chain)}")

    def _why_unused(self, chain: Chain) -> str:
        if all(self._adapters[key.adapter].wraps for key in self.deliveries):
            return "the adapters chosen join the turn themselves"
        if chain.carries_document:
            return "it carries a document, and no prompt attaches one"
        return "it carries no document, and every prompt attaches one"

    def _add(self, scenario: Scenario) -> None:
        prompts = choose_prompts(scenario, self._choice, self.problems)
        names = choose_adapters(scenario, self._adapters, self._choice, self.problems)
        chains = choose_chains(scenario, self._envelopes, self._choice, self.problems)
        if self._choice.envelopes is not None:
            self._asked.update((chain.name, chain) for chain in chains)
        if len(prompts) == len(scenario.prompts):
            self.whole.add(scenario.name)
        if scenario.accept:
            self.accept[scenario.name] = scenario.accept
        labels: set[str] = set()
        for prompt in prompts:
            if prompt.label in labels:
                self.problems.append(
                    Problem(f"another prompt is called {shown(prompt.label)} too", prompt.mark)
                )
            elif self._readable(prompt):
                self._add_prompt(scenario, prompt, names, chains)
            labels.add(prompt.label)

    def _add_prompt(
        self, scenario: Scenario, prompt: Prompt, names: Collection[str], chains: Sequence[Chain]
    ) -> None:
        ways = {
            True: app_arms(prompt, self._documents.__getitem__),
            False: arms(prompt, chains, self._documents.__getitem__),
        }
        self._require_an_arm(scenario, prompt, names, chains, ways[False])
        repeat = self._choice.repeat or scenario.repeat or DEFAULT_REPEAT
        for name in names:
            for arm in ways[self._adapters[name].wraps]:
                delivery = _delivery(scenario, prompt, arm, name)
                self.deliveries[delivery.key] = delivery
                self.repeats[delivery.key] = repeat

    def _readable(self, prompt: Prompt) -> bool:
        """Reads the files of a prompt that were not read before; a failure becomes a problem."""
        readable = True
        for file in (*prompt.attach, *([prompt.paste] if prompt.paste else ())):
            if file in self._documents:
                continue
            try:
                self._documents[file] = self._read(file)
            except WorkbenchError as error:
                self.problems.extend(error.problems)
                readable = False
            except (OSError, UnicodeError) as error:
                self.problems.append(Problem(f"{shown(file.name)} cannot be read: {error}", file.mark))
                readable = False
        return readable

    def _carriers(self) -> Iterator[str]:
        """The envelopes of the workspace that carry a document; a broken file is not what this is about."""
        for name in self._envelopes:
            with suppress(WorkbenchError):
                if self._envelopes[name].carries_document:
                    yield name

    def _require_an_arm(
        self,
        scenario: Scenario,
        prompt: Prompt,
        names: Collection[str],
        chains: Sequence[Chain],
        ways: Sequence[Arm],
    ) -> None:
        """A prompt with a file that is never delivered would look like a prompt that passed."""
        without = [name for name in names if not self._adapters[name].wraps]
        if not prompt.attach or not without or any(arm.document for arm in ways):
            return
        chosen = ", ".join(chain.name for chain in chains) or "none"
        able = ", ".join(self._carriers())
        hint = (
            f"with a {{document}} slot: {able}; name one in `envelopes` or with --envelope"
            if able
            else "no envelope of this workspace has a {document} slot: make one, or use `paste`"
        )
        message = (
            f"prompt {shown(prompt.label)} of {scenario.name} attaches a file, and no arm takes it to"
            f" {', '.join(without)}: of the envelopes chosen ({chosen}), none carries a document"
        )
        self.problems.append(Problem(message, prompt.attach[0].mark, hint))


def _delivery(scenario: Scenario, prompt: Prompt, arm: Arm, adapter: str) -> Delivery:
    relations = (prompt.relation, arm.relation, scenario.relation)
    return Delivery(
        key=CellKey(scenario.name, prompt.label, arm.name, adapter),
        typed=prompt.text,
        turn=arm.turn,
        relation=next((relation for relation in relations if relation is not None), Relation.EQUAL),
        expect=prompt.expect,
        ingress=arm.ingress,
        document=arm.document,
        file=prompt.mark.file,
        line=prompt.mark.line,
    )
