"""Speed as ratios against a bare baseline, the two in turn. Run it by hand: python tests/benchmarks/ratios.py

Absolute times move from machine to machine and prove little; medians of paired ratios hold.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ahocorasick_rs import AhoCorasick, Implementation

from workbench.adapters.keyword import KeywordRouter
from workbench.core.errors import Mark
from workbench.core.turn import bare
from workbench.files.keywords import Entry, KeywordTable, Phrase

ROUNDS = 21


def ratio(ours: Callable[[], object], baseline: Callable[[], object]) -> float:
    """The median over rounds of the time of `ours` by that of `baseline`, run right after one another."""

    def seconds(call: Callable[[], object]) -> float:
        began = time.perf_counter()
        call()
        return time.perf_counter() - began

    ours()
    baseline()
    return statistics.median(seconds(ours) / seconds(baseline) for _ in range(ROUNDS))


def help_by_interpreter_starts() -> float:
    """`workbench --help` in starts of a bare interpreter."""
    command = [str(Path(sys.executable).parent / "workbench"), "--help"]
    return ratio(
        lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True),
        lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    )


def keyword_table_by_automaton() -> float:
    """A 3,558-phrase table on 15,000 characters, by one call of the bare automaton.

    Text and phrases share their words, as prose and a table do, and about ten phrases stand in the text.
    """
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(3000)]
    phrases = [" ".join(chance.sample(words, chance.choice((2, 2, 3)))) for _ in range(3558)]
    text = " ".join(chance.choice(words if chance.random() > 0.004 else phrases) for _ in range(4000))[
        :15_000
    ]
    nowhere = Mark("")
    table = KeywordTable(
        tuple(Entry((Phrase(phrase, nowhere),), f"tool::{n}") for n, phrase in enumerate(phrases))
    )
    router, turn = KeywordRouter(table), bare(text)
    print(f"        ({len(router.decide(turn).matches or ())} phrases stand in the text)")
    automaton = AhoCorasick(phrases, implementation=Implementation.DFA)
    return ratio(
        lambda: [router.decide(turn) for _ in range(50)],
        lambda: [automaton.find_matches_as_indexes(text, overlapping=True) for _ in range(50)],
    )


def main() -> None:
    for name, measure, most in (
        ("workbench --help, in bare interpreter starts", help_by_interpreter_starts, 5.0),
        ("3,558 phrases on 15,000 characters, by the bare automaton", keyword_table_by_automaton, 1.5),
    ):
        print(f"{measure():6.2f}  (at most {most:g})  {name}")


if __name__ == "__main__":
    main()
