"""A guest's processes: started as a group of their own, ended as a whole, tied to the host on Linux."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["MARK", "describe_exit", "kill_group", "kill_strays", "start_options", "terminate_group"]

MARK = "WORKBENCH_GUEST"
"""The environment variable that every process of one guest inherits; its value is one guest's own."""

_PR_SET_PDEATHSIG = 1
_STARTING = 0.1  # seconds that a process may need to become the program that it starts
_PATIENCE = 2.0  # seconds that the kernel has to carry out a SIGKILL


def start_options() -> dict[str, Any]:
    """What to start a guest with: its own session, so that no Ctrl-C of the terminal reaches it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "linux":
        options["preexec_fn"] = _end_with_parent(os.getpid())
    return options


def _end_with_parent(parent: int) -> Callable[[], None]:
    """What the child does between fork and exec: the kernel kills it once the thread that forked ends.

    That thread is the event loop's. Everything is looked up before the fork, so that the child
    takes no lock that another thread may have held.
    """
    prctl, getppid, leave = _prctl(), os.getppid, os._exit

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if getppid() != parent:  # the host died before the tie held
            leave(1)

    return tie


@functools.cache
def _prctl() -> Callable[..., int]:
    import ctypes

    function = ctypes.CDLL(None).prctl
    function.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    function.restype = ctypes.c_int
    return function


def terminate_group(leader: int) -> None:
    """Ask every process of the group to end."""
    _signal_group(leader, signal.SIGTERM)


def kill_group(leader: int) -> None:
    """End every process of the group."""
    _signal_group(leader, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _signal_group(leader: int, number: signal.Signals) -> None:
    # A group that is empty is no error, nor one that holds only a zombie (EPERM on macOS).
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.kill(leader, number)  # Windows knows no groups: the guest's children are left to it
        else:
            os.killpg(leader, number)


def kill_strays(mark: str) -> None:
    """End the processes of one guest that left its group: found by the mark in their environment.

    Waits until they are gone. Linux only; elsewhere a process that made a session of its own stays.
    """
    if sys.platform != "linux":
        return
    entry, began = f"{MARK}={mark}".encode(), time.monotonic()
    while True:
        strays, starting = _marked(entry)
        for process in strays:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        waited = time.monotonic() - began
        if waited > _PATIENCE or not (strays or (starting and waited < _STARTING)):
            return
        time.sleep(0.01)


def _marked(entry: bytes) -> tuple[list[int], bool]:
    """The processes with that entry in their environment, and whether one is between two programs.

    While the kernel puts a program in another's place, its environment reads as empty.
    """
    found, starting = [], False
    for process in os.listdir("/proc"):  # noqa: PTH208 (names are all that is wanted of many)
        if process.isdigit():
            with contextlib.suppress(OSError):
                environment = Path("/proc", process, "environ").read_bytes()
                if entry in environment.split(b"\0"):
                    found.append(int(process))
                starting = starting or (not environment and _runs_a_program(process))
    return found, starting


def _runs_a_program(process: str) -> bool:
    """Whether it is neither dead and not yet reaped, nor a thread of the kernel."""
    state, parent = Path("/proc", process, "stat").read_bytes().rpartition(b")")[2].split()[:2]
    return state not in (b"Z", b"X") and b"2" not in (parent, process.encode())


def describe_exit(status: int) -> str:
    """How a process ended, in words, e.g. `was killed by signal 11 (SIGSEGV)`."""
    if status >= 0:
        return f"exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        return f"was killed by signal {-status}"
    return f"was killed by signal {-status} ({name})"
