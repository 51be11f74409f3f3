"""The lanes tab: the exact sum, the dark text, lanes against budgets, growth, and the kinds of nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from test_tui_page import lines_of
from test_tui_screen import Driver, driving
from tui_lanes import (
    LINK,
    MEMORY,
    MODEL,
    NAIVE,
    REGISTRY,
    RULES,
    SCOPE,
    chat,
    exchanged,
    sending,
    with_trials,
)
from tui_made import workspace

from workbench.core.cell import BARE, AdapterInfo
from workbench.core.claims import Claimed, Claims
from workbench.core.errors import WorkbenchError
from workbench.core.exchange import Exchange
from workbench.lanes.lane import Registry
from workbench.tui.darkness import AtDark
from workbench.tui.state import SessionState
from workbench.tui.view.ink import Ground
from workbench.tui.view.layout import Pane
from workbench.tui.view.matrix import matrix_of
from workbench.tui.view.page import Page
from workbench.tui.view.paper import Document
from workbench.tui.view.tabs import Tab

BARE_KEY = replace(NAIVE, arm=BARE)


def lanes_of(state: SessionState, width: int = 150) -> list[str]:
    return lines_of(tab_of(state), width)


def tab_of(state: SessionState) -> Document:
    document = state.comparisons.made(NAIVE)
    assert document is not None
    return document.on(Tab.LANES)


def sent(
    after: Exchange | None,
    before: Exchange | None = None,
    info: AdapterInfo = MODEL,
    registry: Registry | None = REGISTRY,
) -> SessionState:
    """One trial on the channel and one on bare, each with this exchange; None: none was sent."""
    state = SessionState(sending(workspace(), registry))
    for key, exchange in ((NAIVE, after), (BARE_KEY, before)):
        state.board.cells[key] = with_trials(state.board.cells[key], exchange)
    state.board.adapters["naive"] = info
    return state


def one(*texts: str, claims: Claims | None) -> Exchange:
    return exchanged(chat(*texts), claims)


# The sum


def test_the_first_line_is_the_exact_sum_of_both_sides() -> None:
    lines = lanes_of(SessionState(sending(workspace())))
    assert lines[0].startswith("─ sum ")
    left, right = lines[1].split("│")
    owned = [int(side.split("owned=")[1].split()[0].replace(",", "")) for side in (left, right)]
    whole = [int(side.split("sent=")[1].split()[0].replace(",", "")) for side in (left, right)]
    assert left.strip().startswith("~     dark=0 + ") and owned[0] == whole[0]
    assert f"dark={len(SCOPE)} + " in right and owned[1] + len(SCOPE) == whole[1]
    assert f"OVER BUDGET: memory  double={len(LINK)}" in lines[2]


def test_the_sum_is_that_of_the_body_that_was_sent() -> None:
    state = SessionState(sending(workspace()))
    exchange = state.board.cells[NAIVE].trials[0].exchange
    assert exchange is not None
    size = sum(len(message["content"]) for message in json.loads(exchange.sent)["messages"])
    assert f"sent={size:,}" in lanes_of(state)[1]


def test_a_request_in_which_all_is_well_says_so() -> None:
    claims = Claims((Claimed("rules", "Be brief."), Claimed("user_words", "hello")))
    text = "\n".join(lanes_of(sent(one("Be brief.", "hello", claims=claims))))
    assert "dark=0 + owned=14 = sent=14" in text
    assert "nothing double, nothing over budget" in text
    assert "none: every character has a lane" in text


# The dark text


def test_the_dark_text_comes_before_the_lanes_with_its_place_and_what_stands_around() -> None:
    lines = lanes_of(SessionState(sending(workspace())))
    heads = [line.split()[1] for line in lines if line.startswith("─ ")]
    assert heads[:5] == ["sum", "?", "double", "lanes", "growth"]
    listed = " ".join(
        line.split("│")[-1].lstrip("↪ ") for line in lines[lines.index(dark_head(lines)) :][1:4]
    )
    assert f"messages[0].content+{len(RULES + MEMORY)} {len(SCOPE)} characters: …" in listed
    assert "likes short answers␊␊## Scope␊A message of a channel" in listed


def dark_head(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("─ ? dark "))


def test_dark_text_is_drawn_on_its_own_ground_and_lanes_in_their_tones() -> None:
    document = tab_of(SessionState(sending(workspace())))
    page = Page(document, 150, split=True)
    pieces = [piece for y in range(page.height) for piece in page.line(y)]
    dark = "".join(piece.text for piece in pieces if piece.ground is Ground.DARK)
    assert "## Scope" in dark and "A message of a channel" in dark and "Memory" not in dark
    tones = {
        piece.tone
        for piece in pieces
        if piece.text in ("You are the assistant of a small shop.", "## Memory")
    }
    assert len(tones) == 2


# The lanes


def rows_of(lines: list[str], section: str) -> list[str]:
    start = next(n for n, line in enumerate(lines) if line.startswith(f"─ {section} "))
    end = next((n for n, line in enumerate(lines) if n > start and line.startswith("─ ")), len(lines))
    return lines[start + 1 : end]


def test_each_lane_has_its_letter_both_sizes_and_its_budget_in_words() -> None:
    lines = lanes_of(SessionState(sending(workspace())))
    rows = {row.split()[1]: row for row in rows_of(lines, "lanes")[1:]}
    assert "M memory" in rows["memory"] and f"█████████▶  120  OVER by {len(MEMORY) - 120}" in rows["memory"]
    assert "R rules" in rows["rules"] and "██░░░░░░░░  400" in rows["rules"]
    assert "uncapped" in rows["user_words"]
    assert "session" in rows["channel_message"] and "untrusted: tool" in rows["channel_message"]
    assert f"+{len(LINK)} double" in rows["links"]
    assert rows["in"].strip() == "not in this request: rolling_summary"


def test_what_is_over_its_budget_comes_first() -> None:
    assert rows_of(lanes_of(SessionState(sending(workspace()))), "lanes")[1].split()[1] == "memory"


def test_a_lane_over_budget_on_one_side_alone_is_a_difference() -> None:
    short, long = "m" * 100, "m" * 300
    claims = [Claims((Claimed("memory", text), Claimed("user_words", "hello"))) for text in (short, long)]
    state = sent(one(long, "hello", claims=claims[1]), one(short, "hello", claims=claims[0]))
    row = next(line for line in lanes_of(state) if "M memory" in line and "budget" not in line)
    assert row.startswith("~ M memory") and "100" in row and "300" in row and "OVER by 180" in row
    assert Tab.LANES in tabs_with_differences(state)


def tabs_with_differences(state: SessionState) -> tuple[Tab, ...]:
    document = state.comparisons.made(NAIVE)
    assert document is not None
    return document.marked


def test_a_lane_that_is_not_registered_and_a_workspace_without_a_registry() -> None:
    claims = Claims((Claimed("rules", "Be brief."), Claimed("stray", "hello")))
    exchange = one("Be brief.", "hello", claims=claims)
    text = "\n".join(lanes_of(sent(exchange)))
    assert "S stray" in text and "not registered" in text
    text = "\n".join(lanes_of(sent(exchange, registry=None)))
    assert "not registered" not in text and "no lanes.toml from here upwards" in text


def test_a_registry_that_cannot_be_read_is_said_and_the_sum_stands() -> None:
    def broken() -> Registry | None:
        raise WorkbenchError("lanes.toml:3:5: no TOML \x1b[1m")

    state = SessionState(replace(sending(workspace()), lanes=broken))
    text = "\n".join(lanes_of(state))
    assert "no budgets: lanes.toml:3:5: no TOML ␛[1m" in text and "dark=0 + " in text


def test_a_lane_of_the_workbench_itself_is_no_stray() -> None:
    """A model without `build`: the workbench writes the request, and knows every lane."""
    state = SessionState(sending(workspace()))
    info = AdapterInfo("naive", "model", "{}", router=False)
    turn = state.board.cells[NAIVE].delivery.turn.text
    state = sent(exchanged({"messages": [{"role": "user", "content": turn}]}), info=info)
    text = "\n".join(lanes_of(state))
    assert "the workbench's own" in text and "dark=0 + " in text and "not registered" not in text
    assert "not in this request" not in text and "no lanes.toml" not in text
    assert "  T typed" in text  # no lane of a registry has taken its letter


# The growth


def test_the_growth_has_a_row_for_each_message_and_ends_at_what_was_sent() -> None:
    rows = rows_of(lanes_of(SessionState(sending(workspace()))), "growth")
    assert rows[0].split() == ["where", "whose", "before", "after", "so", "far", "dark"]
    first, last = rows[1].split(), rows[2].split()
    assert first[:2] == ["messages[0]", "system"] and last[:2] == ["messages[1]", "user"]
    assert int(first[3]) - int(first[2]) == len(SCOPE) == int(first[5])
    assert int(last[4]) == int(first[3]) + int(last[3]) and last[5] == "0"
    assert "█" in rows[1] and "▒" in rows[2]


def test_a_message_that_one_side_has_alone_has_a_dash_on_the_other() -> None:
    claims = Claims((Claimed("user_words", "hello"),))
    state = sent(one("s", "hello", "hi", "more", claims=claims), one("s", "hello", claims=claims))
    rows = rows_of(lanes_of(state), "growth")
    assert [row.split()[2] for row in rows[1:5]] == ["1", "5", "–", "–"]


# Kinds of nothing


def test_kinds_of_nothing_are_said_apart() -> None:
    body = chat("Be brief.", "hello")
    told = {
        "router": lanes_of(sent(None, info=AdapterInfo("naive", "python"))),
        "nothing sent": lanes_of(sent(None)),
        "unreadable": lanes_of(sent(exchanged("no json"))),
        "not reported": lanes_of(sent(exchanged(body))),
        "empty": lanes_of(sent(exchanged(body, Claims()))),
        "failed": lanes_of(sent(exchanged(body, Claims(error="Boom: \x1b[1mno\x1b[0m"))), 300),
    }
    text = {name: "\n".join(lines) for name, lines in told.items()}
    assert "this adapter sends no request to a model" in text["router"]
    assert "no request was sent" in text["nothing sent"]
    assert "of no format that is known" in text["unreadable"]
    assert "sent=14, dark not reported" in text["not reported"]
    assert "workbench tap ledger" in text["not reported"]
    assert "dark=14 + owned=0 = sent=14" in text["empty"] and "the app claimed nothing" in text["empty"]
    assert "sent=14, dark not known" in text["failed"] and "Boom: ␛[1mno" in text["failed"]
    assert len(set(text.values())) == len(text)
    for name in ("router", "nothing sent", "unreadable", "not reported", "failed"):
        assert "dark=" not in text[name] and not tab_of(sent(None)).stops
    # What was sent can be read, although nobody says who wrote it: then no letter and no colour claims to.
    assert "      hello" in [line.split("│")[-1] for line in told["not reported"]]


# Cells of the matrix


async def test_cells_of_models_say_how_much_is_dark_and_others_nothing() -> None:
    async with driving(sending(workspace())) as driver:
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.settle()
        made = matrix_of(driver.state)
        assert made is not None
        said = {
            (str(row), str(column)): str(cell.dark.text) if cell.dark is not None else None
            for row, cells in zip(made.rows, made.cells, strict=True)
            for column, cell in zip(made.columns, cells, strict=True)
        }
        assert said["bare", "naive"] == "dark 0"
        assert said["channel", "naive"] == f"dark {len(SCOPE)}"
        assert said["channel", "held"] is None
        assert f"dark {len(SCOPE)}" in driver.text()


async def test_a_cell_that_is_not_reported_says_nothing_and_a_new_answer_is_looked_at_anew() -> None:
    async with driving(sending(workspace())) as driver:
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.settle()
        assert driver.state.darkness.of(NAIVE) is not None
        cell = driver.state.board.cells[NAIVE]
        driver.state.board.cells[NAIVE] = with_trials(cell, exchanged(chat("Be brief.", "hello")))
        assert driver.state.darkness.of(NAIVE) is None
        driver.state.touched(NAIVE.scenario, NAIVE.prompt)
        driver.main.redraw()
        await driver.settle()
        assert driver.state.darkness.of(NAIVE) is None and f"dark {len(SCOPE)}" not in row(driver)
        claims = Claims((Claimed("rules", "Be brief."),))
        texts = (one("Be brief.", "hello", claims=claims), one("Be brief.", "hello again", claims=claims))
        driver.state.board.cells[NAIVE] = with_trials(cell, *texts)
        driver.state.touched(NAIVE.scenario, NAIVE.prompt)
        driver.main.redraw()
        await driver.settle()
        assert "dark 5–11" in row(driver)


def row(driver: Driver) -> str:
    return next(line for line in driver.text().splitlines() if "channel  " in line)


# Keys


async def test_a_key_leads_to_the_dark_text_from_any_tab_and_round_again() -> None:
    async with driving(sending(workspace()), size=(120, 24)) as driver:
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.settle()
        await driver.press("next-dark")
        await driver.settle()
        assert driver.state.place.tab is Tab.LANES
        assert "dark text 1 of 1" in driver.text() and "?   ## Scope" in driver.text()
        await driver.press("next-pane", "next-pane", "top")
        assert "?   ## Scope" not in driver.text()
        await driver.press("next-dark")
        assert "?   ## Scope" in driver.text()
        await driver.press("next-difference")
        assert driver.state.place.dark is None and "dark text" not in driver.text()


async def test_keys_go_forth_and_back_over_several_dark_texts() -> None:
    claims = Claims((Claimed("rules", "Be brief."),))
    long = "\n".join(f"line {n}" for n in range(80))
    async with driving(sending(workspace())) as driver:
        for key in (NAIVE, BARE_KEY):
            cell = driver.state.board.cells[key]
            driver.state.board.cells[key] = with_trials(
                cell, one("first" + "Be brief." + long, "hello", claims=claims)
            )
        driver.state.touched(NAIVE.scenario, NAIVE.prompt)
        driver.state.place.go_to(NAIVE)
        driver.main.redraw()
        await driver.settle()
        seen = []
        for name in ("next-dark", "next-dark", "next-dark", "next-dark", "previous-dark"):
            await driver.press(name)
            await driver.settle()
            seen.append(next(part for part in driver.text().split("─") if "dark text" in part).strip())
        assert seen == [f"dark text {n} of 3" for n in (1, 2, 3, 1, 3)]


async def test_fewer_dark_texts_than_there_were_lead_to_the_last_of_them() -> None:
    async with driving(sending(workspace())) as driver:
        driver.state.place.go_to(NAIVE)
        driver.state.place.tab = Tab.LANES
        driver.state.place.dark = AtDark(NAIVE, 7)
        driver.main.redraw()
        await driver.settle()
        assert "dark text 1 of 1" in driver.text()
        await driver.press("next-dark")
        assert driver.state.place.dark == AtDark(NAIVE, 0, 2)


async def test_where_nothing_is_dark_the_key_shows_the_tab_and_says_so() -> None:
    async with driving(sending(workspace())) as driver:
        driver.state.place.go_to(replace(NAIVE, adapter="held"))
        driver.main.redraw()
        await driver.settle()
        await driver.press("next-dark")
        await driver.settle()
        assert driver.state.place.tab is Tab.LANES
        assert any("dark" in toast for toast in driver.toasts())
        assert "sends no request to a model" in driver.text()


async def test_a_newcomer_finds_it_in_the_footer_the_help_and_the_palette() -> None:
    async with driving(sending(workspace())) as driver:
        driver.state.place.go_to(NAIVE)
        driver.state.place.pane = Pane.COMPARISON
        driver.main.redraw()
        await driver.settle()
        assert "Lanes~" in driver.text() and " d dark" not in driver.text()
        await driver.press("tab-lanes")
        assert "[Lanes~]" in driver.text() and " d dark" in driver.text()
        await driver.press("help")
        await driver.pilot.pause()
        helped = driver.text()
        assert "Lanes" in helped


@pytest.mark.parametrize("width", [60, 80, 120, 160])
def test_every_line_is_as_wide_as_the_view(width: int) -> None:
    from workbench.tui.view.cells import width_of

    document = tab_of(SessionState(sending(workspace())))
    for split in (False, True):
        page = Page(document, width, split)
        assert {width_of(page.line(y)) for y in range(page.height)} == {width}
