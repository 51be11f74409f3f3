"""The options of the adapter `model`, and what can be wrong with them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from workbench.adapters.budget import CAP_OPTIONS
from workbench.adapters.calls.service import SHARED, Settings, Text
from workbench.adapters.protocol import Option, OptionType
from workbench.adapters.tools.source import ToolSource
from workbench.core.decision import Json
from workbench.files.node import EnvName
from workbench.wire.registry import names

__all__ = ["OPTIONS", "ModelOptions"]

OPTIONS = (
    Option("api", OptionType.TEXT, "the wire format", required=True, choices=names()),
    Option("model", OptionType.TEXT, "the model, as the provider spells it", required=True),
    Option("url", OptionType.TEXT, "the base URL (the vendor's own)"),
    Option("key", OptionType.SECRET, "the key, where it is not the vendor's own host and variable"),
    Option("tools", OptionType.TOOLS, "the tools that it is offered"),
    Option("system", OptionType.TEXT, "its instructions: a file of the workspace, or the text itself"),
    Option("temperature", OptionType.NUMBER, "as the provider takes it; not sent unless said"),
    Option("tool_choice", OptionType.TEXT, "auto, none, required, or the name of a tool"),
    Option("max_tokens", OptionType.INTEGER, "where the provider is to cut an answer"),
    Option("seed", OptionType.BOOLEAN, "true: each call carries its trial's seed", False),
    Option("stream", OptionType.BOOLEAN, "true: answers are streamed", False),
    Option("body", OptionType.VALUE, "more keys of the body, passed through; they stand above ours"),
    Option(
        "classify",
        OptionType.VALUE,
        "the model picks one of these routes by structured output, instead of tools: a list (none, pass and"
        " hold call nothing), or a mapping of each to fire, hold or pass",
    ),
    Option("build", OptionType.TEXT, "your function that makes the messages, as package.module:function"),
    Option("call", OptionType.CALL, "what `build` is given, as for the adapter python", "text"),
    Option("python", OptionType.TEXT, "the interpreter of `build` and of tools in Python"),
    *SHARED,
    Option("tokens_per_minute", OptionType.NUMBER, "so many tokens a minute at most, in and out"),
    *CAP_OPTIONS,
    Option("price", OptionType.VALUE, "US dollars for a million tokens: {input: 0.25, output: 2}"),
    Option("timeout", OptionType.NUMBER, "seconds for one answer", 60),
    Option("env", OptionType.MAPPING, "environment of `build` and of tools in Python"),
    Option("cwd", OptionType.PATH, "working folder of `build` and of tools in Python"),
    Option(
        "restart",
        OptionType.TEXT,
        "trial: a new process of `build` each time",
        "run",
        choices=("run", "trial"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """The options as they are handed over. None: not said."""

    api: str
    model: str
    url: str | None = None
    key: EnvName | None = None
    tools: ToolSource | None = None
    system: str | None = None
    temperature: float | None = None
    tool_choice: str | None = None
    max_tokens: int | None = None
    seed: bool = False
    stream: bool = False
    body: Json = None
    classify: Json = None
    build: str | None = None
    call: str | Mapping[str, str] | None = None
    python: str | None = None
    headers: Mapping[str, Text] = field(default_factory=dict)
    proxy: Text | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    price: Json = None
    concurrency: int = 8
    timeout: float = 60.0
    env: Mapping[str, object] | None = None
    cwd: str | os.PathLike[str] | None = None
    restart: str | None = None

    def settings(self, base: str) -> Settings:
        """Those of the service at `base`. A model's answer changes nothing, so a call may be made again."""
        return Settings(
            base,
            self.headers,
            self.proxy,
            self.requests_per_minute,
            self.tokens_per_minute,
            self.concurrency,
            self.timeout,
            repeatable=True,
        )

    def private(self) -> frozenset[str]:
        """The variables of the environment that are for the service, and that no guest gets."""
        values = (self.key, self.proxy, *self.headers.values())
        return frozenset(value.name for value in values if isinstance(value, EnvName))

    def problems(self) -> Iterator[str]:
        """Options that do not go together, each headed by its name."""
        yield from self._problems_of_offer()
        if self.max_cost is not None and self.price is None:
            yield "max_cost: it needs `price`, in US dollars for a million tokens: {input: 0.25, output: 2}"
        if self.build is None and self.call is not None:
            yield "call: it goes with `build`"
        if self.build is None and self.restart is not None:
            yield "restart: it goes with `build`"
        if self.body is not None and not isinstance(self.body, Mapping):
            yield "body: expected a mapping of keys that go into the body"

    def _problems_of_offer(self) -> Iterator[str]:
        if self.classify is not None:
            if self.tools is not None:
                yield "classify: the model picks a route or is offered tools, not both; take `tools` away"
            if self.tool_choice is not None:
                yield "tool_choice: there are no tools with `classify`"
        elif self.tools is None and self.build is None and not _has_tools(self.body):
            yield (
                "tools: a model without tools calls none; expected e.g. `tools: scenarios/tools.yaml`, or"
                " `classify`, or a `build` that adds them"
            )


def _has_tools(body: Json) -> bool:
    return isinstance(body, Mapping) and any(key in body for key in ("tools", "functions"))
