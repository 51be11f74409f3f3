"""The screen's speed as ratios against bare Textual, the two in turn under a pseudo-terminal.

Run it by hand: python tests/benchmarks/screen.py. Medians of paired ratios hold; absolute times do not.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from workbench.core.cell import AdapterInfo, CellKey, Delivery
from workbench.core.decision import Decision, Outcome, ToolCall, Window, WindowSource
from workbench.core.trial import Status, Trial
from workbench.core.turn import Author, Region, Turn, TypedPiece, bare
from workbench.store.records import NewRun
from workbench.store.store import Store

COMMAND = str(Path(sys.executable).parent / "workbench")
ROUNDS = 11
FEW_ROUNDS = 3
PRESSES = 20
DOWN = "\x1b[B"
WIDTH, HEIGHT = 160, 45
ADAPTERS = ("slow", "held", "fixed", "wide")
ARMS = ("bare", "channel", "reply", "mention", "editor")
REPEAT = 10

EMPTY = """
from textual.app import App
from textual.screen import Screen

class Blank(Screen):
    def render(self):
        return "all is ready"

class Empty(App):
    def get_default_screen(self):
        return Blank()

Empty().run()
"""

TABLE = """
from textual.app import App
from textual.widgets import DataTable

class Rows(App):
    def compose(self):
        yield DataTable(cursor_type="row")

    def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("scenario", "prompt", "arm", "adapter", "outcome", "tool")
        row = ("build", "bare", "held", "fire", "list-events")
        table.add_rows([(f"row {n} ends", *row) for n in range(500)])

Rows().run()
"""


class Terminal:
    """A program under a pseudo-terminal of its own; what it writes is read and kept."""

    def __init__(self, command: Sequence[str], folder: Path, home: Path) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
        }
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.written = b""

    def read(self, patience: float) -> bool:
        """Take in what has been written; False where nothing came in `patience` seconds."""
        ready, _, _ = select.select([self.master], [], [], patience)
        if not ready:
            return False
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.written += data
        return bool(data)

    def wait_for(self, *words: str, patience: float = 30) -> float:
        """The seconds since the start of the program at which all of `words` had been written."""
        wanted = [word.encode() for word in words]
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            self.read(0.5)
            if all(word in self.written for word in wanted):
                return time.perf_counter() - self.began
        raise SystemExit(f"{words} not seen in {self.written[-3000:]!r}")

    def quiet(self, patience: float = 0.5) -> None:
        """Read on until nothing is written for a while."""
        while self.read(patience):
            pass

    def rest(self, seconds: float) -> None:
        """Read for a while, whatever is written."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)

    def press(self, keys: str, *words: str) -> float:
        """Seconds from a key press until all of `words` have been written after it."""
        self.written = b""
        wanted = [word.encode() for word in words]
        began = time.perf_counter()
        os.write(self.master, keys.encode())
        while time.perf_counter() - began < 5:
            self.read(0.5)
            if all(word in self.written for word in wanted):
                return time.perf_counter() - began
        raise SystemExit(f"{keys!r}: {words} not seen in {self.written[-2000:]!r}")

    def end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.master)


def wrapped(arm: str, typed: str) -> Turn:
    """A turn of an arm: a tag before the typed words."""
    if arm == "bare":
        return bare(typed)
    head = f"<{arm} from=u1>\n"
    regions = (Region(0, len(head), Author.TRANSPORT), Region(len(head), len(head) + len(typed), Author.USER))
    return Turn(head + typed, typed, regions, (TypedPiece(len(head), len(head) + len(typed), 0, len(typed)),))


def store_run(folder: Path, scenarios: dict[str, list[str]], repeat: int) -> int:
    """Store a run of these prompts on every arm and adapter; returns how many trials it has."""
    deliveries = []
    for scenario, prompts in scenarios.items():
        for number, typed in enumerate(prompts, 1):
            for arm in ARMS:
                for adapter in ADAPTERS:
                    key = CellKey(scenario, str(number), arm, adapter)
                    file = f"scenarios/{scenario}.yaml"
                    deliveries.append(Delivery(key, typed, wrapped(arm, typed), file=file))
    repeats = {delivery.key: repeat for delivery in deliveries}
    infos = {name: AdapterInfo(name, "python", "made for the benchmark") for name in ADAPTERS}
    new = NewRun("0" * 64, tuple(deliveries), repeats, infos, {}, frozenset(scenarios))
    with Store.open(folder) as store:
        recording = store.begin(new, datetime(2027, 1, 1, tzinfo=UTC))
        for delivery in deliveries:
            fires = delivery.key.adapter != "held" or delivery.key.arm == "bare"
            read = delivery.turn.text if delivery.key.adapter != "fixed" else delivery.typed
            decision = Decision(
                Outcome.FIRE if fires else Outcome.PASS,
                (ToolCall("google-calendar::list-events"),) if fires else (),
                (Window(read, WindowSource.REPORTED),),
            )
            for index in range(repeat):
                recording.add(delivery.key, Trial(index, Status.OK, decision, seconds=0.01))
        recording.finish(12.0, complete=True)
    return len(deliveries) * repeat


ROUTER = "def route(text):\n    return 'google-calendar::list-events'\n"

BUSY = """
import asyncio
from dataclasses import replace
from pathlib import Path
from workbench.adapters.protocol import Answer, Capabilities
from workbench.cli.opening import session_of
from workbench.core.decision import Decision, Outcome
from workbench.core.trial import Status
from workbench.files.workspace import open_workspace
from workbench.replay.engine import replay
from workbench.replay.executor import LocalExecutor
from workbench.store.store import Store
from workbench.tui.launch import launch

class Slow:
    capabilities, concurrency, timeout = Capabilities(), 16, 60.0
    async def open(self): pass
    async def close(self): pass
    def fingerprint(self): return {}
    async def decide(self, request):
        await asyncio.sleep(1)
        return Answer(Status.OK, Decision(Outcome.PASS))

async def run(plan, on_event, stop):
    with Store.temporary() as store:
        async with LocalExecutor({name: Slow() for name in plan.adapters}) as executor:
            return await replay(plan, executor, store, on_event, stop)

session = session_of(open_workspace(Path.cwd()), Path.cwd())
launch(replace(session, replay=run, trusted=True, reload=None, memory=None))
"""
"""The screen on a workspace whose calls take a second each, 64 of them at once: four adapters, 16 each."""


def make_workspace(folder: Path, scenarios: int, prompts: int, repeat: int) -> int:
    """A workspace with a stored run of all of it; returns how many trials that has."""
    (folder / "scenarios").mkdir(parents=True)
    adapters = "".join(f"  {name}: {{use: python, target: 'slow:route'}}\n" for name in ADAPTERS)
    (folder / "workbench.yaml").write_text(f"adapters:\n{adapters}")
    (folder / "slow.py").write_text(ROUTER)
    shutil.copytree(Path(__file__).parents[2] / "envelopes", folder / "envelopes")
    texts: dict[str, list[str]] = {}
    for number in range(scenarios):
        name = f"scenario-{number:02d}"
        texts[name] = [f"day {n} of month {number}, what is on it?" for n in range(prompts)]
        lines = "".join(f"  - text: {text}\n" for text in texts[name])
        envelopes = ", ".join(ARMS[1:])
        head = f"scenario: {name}\nenvelopes: [{envelopes}]\nrepeat: {repeat}\nprompts:\n"
        (folder / "scenarios" / f"{name}.yaml").write_text(head + lines)
    return store_run(folder, texts, repeat)


def paired(
    ours: Callable[[], float], bare_one: Callable[[], float], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """The median ratio of rounds, and the medians of both in milliseconds."""
    ours()
    bare_one()
    pairs = [(ours(), bare_one()) for _ in range(rounds)]
    ratio = statistics.median(one / other for one, other in pairs)
    return ratio, *(1000 * statistics.median(side) for side in zip(*pairs, strict=True))


def first_frame(command: Sequence[str], folder: Path, home: Path, *words: str) -> float:
    terminal = Terminal(command, folder, home)
    try:
        return terminal.wait_for(*words)
    finally:
        terminal.end()


def presses(terminal: Terminal, words: Callable[[int], str], idle: bool = True) -> float:
    """The median seconds from a key press to the frame that shows what it led to, at a person's pace."""
    taken = []
    for number in range(1, PRESSES + 1):
        if idle:
            terminal.quiet(0.06)
        else:
            terminal.rest(0.1)
        taken.append(terminal.press(DOWN, words(number)))
    return statistics.median(taken)


def on_a_prompt(number: int) -> str:
    """What is drawn once the prompt of that number is chosen."""
    return f"day {number} of month 0"


def key_presses(terminal: Terminal, busy: bool) -> float:
    """Seconds from a key press to its frame, in the list of a workspace with many prompts."""
    try:
        terminal.wait_for("scenario-00", "FIRE")
        terminal.quiet(2)  # until everything stored has been read
        terminal.press("g", "all prompts")
        if busy:
            terminal.press("R", "running")
            terminal.rest(2)
        terminal.press(DOWN, on_a_prompt(0))
        return presses(terminal, on_a_prompt, idle=not busy)
    finally:
        terminal.end()


def table_presses(terminal: Terminal) -> float:
    """The same in a stock DataTable of 500 rows."""
    try:
        terminal.wait_for("row 3 ends")
        terminal.rest(1)
        return presses(terminal, lambda number: f"row {number} ends")
    finally:
        terminal.end()


def report(name: str, ratio: float, ours: float, other: float) -> None:
    print(f"{ratio:6.2f}  (at most 1.5)  {name}: {ours:.0f} ms by {other:.0f} ms", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="workbench-benchmark-") as made:
        base = Path(made)
        home = base / "home"
        home.mkdir()
        scripts = {"empty": EMPTY, "table": TABLE, "busy": BUSY}
        for name, text in scripts.items():
            (base / f"{name}.py").write_text(text)
        python = [sys.executable]
        few, many = base / "few", base / "many"
        sizes = {few: make_workspace(few, 3, 4, 417), many: make_workspace(many, 20, 25, 10)}
        for folder in (few, many):
            report(
                f"first frame on {sizes[folder]:,} trials of {folder.name} prompts, by an empty app's",
                *paired(
                    partial(
                        first_frame, [COMMAND], folder, home, "scenario-00", "scenario-01", "FIRE", "pass"
                    ),
                    partial(first_frame, [*python, str(base / "empty.py")], base, home, "all is ready"),
                ),
            )
        table = lambda: table_presses(Terminal([*python, str(base / "table.py")], base, home))  # noqa: E731
        report(
            "key press to frame, by a DataTable's cursor move",
            *paired(lambda: key_presses(Terminal([COMMAND], many, home), False), table, FEW_ROUNDS),
        )
        busy = [*python, str(base / "busy.py")]
        report(
            "key press to frame while 64 calls are in flight, by a DataTable's cursor move",
            *paired(lambda: key_presses(Terminal(busy, many, home), True), table, FEW_ROUNDS),
        )


if __name__ == "__main__":
    main()
