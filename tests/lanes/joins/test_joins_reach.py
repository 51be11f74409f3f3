"""Only what can come to a router is followed, so that a large program is read to its end; and hints."""

from __future__ import annotations

from pathlib import Path

from command import Bench

from workbench.lanes.joins.analysis import find_joins
from workbench.lanes.joins.routers import Routers

_BUSY = """
def busy_{n}(rows, options):
    total = 0
    for row in rows:
        if row.a and options.a:
            total += row.a
        elif row.b or options.b:
            total -= busy_{m}(row.rows, options)
        if row.c is not None:
            try:
                total += int(row.c)
            except ValueError:
                total = total or row.d
    return total
"""
_APP = """
from busy import busy_1

def handle(message, attachment, rows, options):
    count = busy_1(rows, options)
    whole = message + attachment if count else message
    return route(whole)
"""


def test_what_leads_to_no_router_does_not_use_up_the_steps(tmp_path: Path) -> None:
    busy = "".join(_BUSY.format(n=number, m=number + 1) for number in range(400))
    (tmp_path / "busy.py").write_text(busy)
    (tmp_path / "app.py").write_text(_APP)
    found = find_joins([tmp_path], Routers(frozenset({"route"})))
    assert [(one.join.place.line, one.call.line) for one in found.found] == [(6, 7)]
    assert found.unfinished == ()


def test_a_long_chain_of_functions_to_the_router_is_followed(tmp_path: Path) -> None:
    lines = ["def first(message, document):", "    return step_1(message + document)"]
    for number in range(1, 5):
        after = f"step_{number + 1}(text)" if number < 4 else "route(text)"
        lines += [f"def step_{number}(text):", f"    return {after}"]
    (tmp_path / "app.py").write_text("\n".join(lines) + "\n")
    found = find_joins([tmp_path], Routers(frozenset({"route"})))
    assert [(one.join.place.line, one.call.line) for one in found.found] == [(2, 10)]


def test_a_router_that_is_misspelt_is_named_with_what_may_be_meant(bench: Bench) -> None:
    bench.write("app.py", "def handle(message):\n    return classify_intent(message)\n")
    done = bench("lanes", "joins", ".", "--router", "clasify_intent", "--format", "json")
    assert (done.code, done.json["router_calls"]) == (0, 0)
    assert done.json["routers"]["unseen"] == ["clasify_intent"]
    assert done.json["routers"]["likely"] == ["classify_intent"]
    assert "may be meant: --router classify_intent" in done.said


def test_one_of_two_routers_that_is_nowhere_called_is_said(bench: Bench) -> None:
    bench.write("app.py", "def handle(message):\n    return route(message)\n")
    done = bench("lanes", "joins", ".", "--router", "route", "--router", "triage")
    assert done.code == 0
    assert "nowhere called: triage" in done.said
    assert "1 router call in 1 file" in done.said


def test_an_object_of_routes_that_is_handed_on_is_no_router(bench: Bench) -> None:
    bench.write(
        "app.py",
        "def serve(app, router, route, message, document):\n    app.use(message + document, router, route)\n",
    )
    done = bench("lanes", "joins", ".", "--format", "json")
    assert (done.code, done.json["router_calls"]) == (0, 0)
