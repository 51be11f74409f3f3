"""Lays out the cells of a run, scenario after scenario, and collects what stands against it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from workbench.core.cell import BARE, AdapterInfo, CellKey, Delivery
from workbench.core.envelope import Envelope
from workbench.core.errors import Mark, Problem, WorkbenchError
from workbench.core.relation import Relation
from workbench.core.scenario import Accept, Attach, Prompt, Scenario
from workbench.core.turn import Attachment
from workbench.files.problems import shown
from workbench.replay.arms import Arm, Chain, Documents, app_arms, arms
from workbench.replay.choice import Choice, choose_adapters, choose_chains, choose_prompts
from workbench.replay.policies import Policy, policy_named

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
        self.policies: dict[str, Policy] = {}
        self._envelopes = envelopes
        self._adapters = adapters
        self._read = read
        self._choice = choice
        self._documents: dict[Attach, Attachment] = {}
        self._files: dict[str, str] = {}
        self._asked: dict[str, Chain] = {}
        self._unsent: list[Problem] = []

    def add(self, scenario: Scenario) -> None:
        """One more scenario. The same file again changes nothing."""
        known = self._files.setdefault(scenario.name, scenario.file)
        if known != scenario.file:
            message = f"another scenario is called {shown(scenario.name)} too: {known}"
            self.problems.append(Problem(message, scenario.marks.get("scenario", Mark(scenario.file))))
        else:
            self._add(scenario)

    def notes(self) -> Iterator[Problem]:
        """What the command line asks for and no cell has, and prompts that an adapter is not sent at all."""
        framed = {key.arm for key in self.deliveries}
        for name, chain in self._asked.items():
            if name not in framed:
                yield Problem(f"--envelope {name} is not used: {self._why_unused(chain)}")
        sampling = {delivery.samples is not None for delivery in self.deliveries.values()}
        if "samples" in self._choice.arguments and True not in sampling:
            yield Problem("--samples is not used: no adapter chosen samples")
        if "repeat" in self._choice.arguments and False not in sampling:
            yield Problem("--repeat is not used: the adapters chosen sample; --samples is for them")
        yield from self._unsent

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
        samples = scenario.samples
        if self._choice.samples is not None:
            samples = replace(samples, max=self._choice.samples)
        policy = self._policy(scenario, prompt)
        for name in names:
            info = self._adapters[name]
            if policy is not None and info.wraps:
                self.problems.append(self._joined_behind(policy, name, scenario, prompt))
                continue
            sent = [arm for arm in ways[info.wraps] if not _says_nothing(arm, prompt, info)]
            if not sent:
                message = (
                    f"prompt {shown(prompt.label)} of {scenario.name} types nothing, so {name} is not sent it"
                )
                self._unsent.append(Problem(message, prompt.mark))
            for arm in sent:
                delivery = _delivery(scenario, prompt, arm, name)
                if not info.deterministic:
                    delivery = replace(delivery, samples=samples)
                if policy is not None:
                    delivery = replace(delivery, policy=policy.name)
                self.deliveries[delivery.key] = delivery
                self.repeats[delivery.key] = repeat if info.deterministic else samples.max

    def _policy(self, scenario: Scenario, prompt: Prompt) -> Policy | None:
        """What stands before the adapters for this prompt; a name that is none becomes a problem."""
        name = self._choice.policy or prompt.policy
        if name is None or name in self.policies:
            return None if name is None else self.policies[name]
        try:
            policy = policy_named(name, self._envelopes, self._policy_mark(scenario, prompt))
        except WorkbenchError as error:
            self.problems.extend(error.problems)
            return None
        if policy is not None:
            self.policies[name] = policy
        return policy

    def _policy_mark(self, scenario: Scenario, prompt: Prompt) -> Mark | None:
        """Where the policy of a prompt stands; None where the command line names it."""
        if self._choice.policy is not None:
            return None
        number = scenario.prompts.index(prompt)
        return scenario.marks.get(f"prompts[{number}].policy", scenario.marks.get("policy", prompt.mark))

    def _joined_behind(self, policy: Policy, adapter: str, scenario: Scenario, prompt: Prompt) -> Problem:
        message = (
            f"no policy can stand before {adapter}: its app joins the turn itself, and {policy.name} would be"
            " handed the words alone"
        )
        hint = "name adapters that are handed the joined turn: `target`, not `entry` or `build`"
        return Problem(message, self._policy_mark(scenario, prompt), hint)

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


def _says_nothing(arm: Arm, prompt: Prompt, info: AdapterInfo) -> bool:
    """Whether this is a turn without a word for a model, which refuses such a request as a faulty one."""
    return arm.name == BARE and not prompt.text.strip() and not info.router and not info.deterministic


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
