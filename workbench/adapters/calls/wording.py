"""A provider's answer that ends all calls of an adapter, with what to do about it."""

from __future__ import annotations

from dataclasses import replace

from workbench.wire.codec import Reply

__all__ = ["advised"]


def advised(reply: Reply, http: int | None, *, keyed: bool) -> Reply:
    """The reply with a hint where it is fatal. `keyed`: a key was sent."""
    if not reply.fatal:
        return reply
    if http in (401, 403):
        hint = (
            "look at the key that `key` names"
            if keyed
            else "no key was sent: name one with `key: {env: NAME}`"
        )
    elif http in (404, 405):
        hint = "look at `model` and `url`"
    elif http == 402:
        hint = "look at the account's balance"
    else:
        return reply
    return replace(reply, error=f"{reply.error or f'HTTP {http}'} ({hint})")
