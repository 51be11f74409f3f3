"""Secrets that a call carries: read from the environment when they are needed, and known to the masker."""

from __future__ import annotations

import os
from collections.abc import Mapping

from workbench.adapters.calls.address import is_on_host
from workbench.core.errors import Problem, WorkbenchError
from workbench.files.node import EnvName

__all__ = ["Secrets", "vendor_key"]


class Secrets:
    """Reads variables of the environment. `values` grows by each, so that all of them can be masked."""

    def __init__(self, adapter: str) -> None:
        self._adapter = adapter
        self.values: list[str] = []

    def read(self, value: str | EnvName, option: str) -> str:
        """Text, or what the variable of `{env: NAME}` holds. Raises WorkbenchError where that is not set."""
        if isinstance(value, str):
            return value
        return self.variable(value.name, option)

    def variable(self, name: str, option: str) -> str:
        """What a variable holds, without the line feed that a file's last line leaves behind."""
        found = os.environ.get(name, "").strip()
        if not found:
            state = "is empty" if name in os.environ else "is not set"
            message = f"{option}: adapter {self._adapter}: the environment variable {name} {state}"
            raise WorkbenchError(Problem(message, hint=f"export {name}=… before the run"))
        if not (found.isascii() and found.isprintable()):
            message = f"{option}: adapter {self._adapter}: {name} holds characters that no header may carry"
            raise WorkbenchError(Problem(message, hint="copy the key anew"))
        self.values.append(found)
        return found

    def headers(self, headers: Mapping[str, str | EnvName], option: str = "headers") -> dict[str, str]:
        """Headers with their values read. Raises WorkbenchError with every variable that is not set."""
        found: dict[str, str] = {}
        problems: list[Problem] = []
        for name, value in headers.items():
            try:
                found[name] = self.read(value, option)
            except WorkbenchError as error:
                problems += error.problems
        if problems:
            raise WorkbenchError(problems)
        return found


def vendor_key(
    secrets: Secrets, key: EnvName | None, url: str, vendor: str, variable: str | None
) -> str | None:
    """The key that goes with calls to `url`; None for none.

    The vendor's own variable is read for the vendor's own host alone, and only over https. Anywhere else
    a key goes only where the workspace names it.
    """
    if key is not None:
        return secrets.read(key, "key")
    if variable is None or not is_on_host(url, vendor):
        return None
    return secrets.variable(variable, "key")
