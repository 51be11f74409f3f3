"""What a guest gets from our environment, and the values in it that no report may show."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

from workbench.core.errors import Problem, WorkbenchError
from workbench.core.mask import Masker as ShapeMasker
from workbench.files.node import EnvName

__all__ = ["Masker", "guest_environment", "is_secret", "kept_back", "vendor_keys"]

_HIDDEN = "***"
_SHORTEST = 6  # characters; a shorter value would turn half of a text into asterisks


_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
"""A variable named so holds a secret, also where its value stands in the workspace file."""

_VENDOR_KEY = re.compile(
    r"\w+_API_(KEY|TOKEN)|HF_TOKEN|ANTHROPIC_AUTH_TOKEN|AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_\w+)"
)
"""A variable that pays for calls of some vendor."""


def vendor_keys() -> frozenset[str]:
    """The variables of our environment that hold a vendor's key."""
    return frozenset(name for name in os.environ if _VENDOR_KEY.fullmatch(name))


def is_secret(name: str, value: object) -> bool:
    """Whether a variable of an adapter's `env` holds what no report may show."""
    return isinstance(value, EnvName | Mapping) or _SECRET_NAME.search(name) is not None


def kept_back(said: str, names: Iterable[str]) -> str:
    """What to add to a guest's complaint that names a variable which it was not given; often nothing."""
    missed = [name for name in sorted(names) if name in said]
    if not missed:
        return ""
    listed, verb = " and ".join(missed), "is" if len(missed) == 1 else "are"
    return f"; {listed} {verb} not passed on: give it a value under `env`, or {{env: {missed[0]}}}"


class Masker:
    """Replaces secret values, as they are and as JSON or a Python literal spells them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        secrets = tuple(secrets)
        forms = set()
        for secret in secrets:
            if len(secret) >= _SHORTEST:
                forms |= {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
                forms.add(repr(secret)[1:-1])
        self._forms = sorted(forms, key=len, reverse=True)
        self.secrets = secrets
        self._shapes = ShapeMasker(secrets)

    def text(self, text: str) -> str:
        """`text` with every secret as `***`."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, _HIDDEN)
        return text

    def said(self, text: str) -> str:
        """What a guest says beside its answer, a log or an error: what looks like a key is masked too.

        An answer is not masked by looks: windows and arguments are what is compared.
        """
        return self._shapes.text(self.text(text)) if text else text

    def maybe(self, text: str | None) -> str | None:
        """What a guest said, masked, or None."""
        return None if text is None else self.said(text)

    def value(self, value: object) -> object:
        """A JSON value with every secret in its texts and keys as `***`."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return value


def guest_environment(
    adapter: str, env: Mapping[str, object] | None, *, drop: Iterable[str] = ()
) -> tuple[dict[str, str], Masker]:
    """Our environment less `drop`, plus `env`, whose values are text or `{env: NAME}`, and its masker.

    The masker knows the secrets in `env`, and the vendors' keys that are passed on.

    Python guests write no byte code beside the user's files unless the environment says otherwise.
    Raises WorkbenchError naming every variable that is not set.
    """
    environment = {name: value for name, value in os.environ.items() if name not in set(drop)}
    environment.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    secrets = [environment[name] for name in sorted(vendor_keys() & environment.keys())]
    problems: list[Problem] = []
    for name, value in (env or {}).items():
        if isinstance(value, EnvName | Mapping):
            source = value.name if isinstance(value, EnvName) else str(value.get("env", ""))
            if source in os.environ:
                environment[name] = os.environ[source]
                secrets.append(os.environ[source])
            else:
                problems.append(
                    Problem(
                        f"adapter {adapter}: the environment variable {source} is not set (env: {name})",
                        hint=f"export {source}=… before the run",
                    )
                )
        else:
            environment[name] = str(value)
            if is_secret(name, value):
                secrets.append(str(value))
    if problems:
        raise WorkbenchError(problems)
    return environment, Masker(secrets)
