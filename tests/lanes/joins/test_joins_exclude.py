"""`lanes joins --exclude`: a call in a file that is left out is not looked at."""

from __future__ import annotations

from command import Bench

JOIN = """\
def handle(message, document):
    text = message + document.read_text()
    return route(text)
"""


def test_what_is_left_out(bench: Bench) -> None:
    bench.write("src/app.py", "x = 1\n")
    bench.write("src/old/app.py", JOIN)
    asked = ("lanes", "joins", "src", "--router", "route", "--format", "json")
    assert (bench(*asked).code, bench(*asked).json["files"]) == (1, 2)
    done = bench(*asked, "--exclude", "old/")
    assert (done.code, done.json["files"], done.json["joins"]) == (0, 1, [])
    assert bench(*asked, "--exclude", "").code == 2
