"""A whole app, called at its entry point, watched at its router, and stopped there."""

from __future__ import annotations

from pathlib import Path

import pytest
from process_kit import ask, captured, decided, left, module, python, run, with_files

from workbench.core.decision import Outcome, ToolCall
from workbench.core.trial import Status

APP = """
from pathlib import Path
from .router import route

def handle(message, files=()):
    text = message + "".join(Path(file).read_text() for file in files)
    found = route(text)
    Path("ran").write_text("after the router")
    return found
"""

ROUTER = """
def route(text):
    return {"outcome": "fire", "tool": "list", "scanned": text.strip()} if "calendar" in text else "pass"
"""


async def test_an_app_is_stopped_at_its_router(tmp_path: Path) -> None:
    module(tmp_path, ROUTER, "shop.router")
    module(tmp_path, APP, "shop.chat")
    (tmp_path / "notes.txt").write_text("\n my calendar ")
    adapter = python(
        tmp_path,
        entry="shop.chat:handle",
        tap=["shop.router:route"],
        call={"message": "typed", "files": "paths"},
    )
    bare = await ask(adapter, "how long is it?")
    attached = await ask(adapter, turn=with_files("how long is it?", tmp_path / "notes.txt"))
    await adapter.close()
    assert decided(bare).outcome is Outcome.PASS
    assert decided(bare).windows == captured(("shop.router:route", "how long is it?"))
    assert decided(bare).scanned is None
    fired = decided(attached)
    assert fired.calls == (ToolCall("list"),)
    assert fired.windows == captured(("shop.router:route", "how long is it?\n my calendar "))
    assert fired.scanned == "how long is it?\n my calendar"
    assert not (tmp_path / "ran").exists()


# Ways in which an app may hold its router, other than under the name that is tapped.
HOLDERS = {
    "another name": ("from routing import route as pick", "pick(message)", "routing:route"),
    "a table": ("import routing\nTABLE = {'kw': routing.route}", "TABLE['kw'](message)", "routing:route"),
    "a list": ("import routing\nSTEPS = [routing.route]", "STEPS[0](message)", "routing:route"),
    "a class": (
        "import routing\nclass Bot:\n    pick = staticmethod(routing.route)",
        "Bot.pick(message)",
        "routing:route",
    ),
    "an object": (
        "import routing\nclass Bot:\n    def __init__(self): self.pick = routing.route\nbot = Bot()",
        "bot.pick(message)",
        "routing:route",
    ),
    "a closure": (
        "import routing\ndef around(f):\n    def inner(text): return f(text)\n    return inner\n"
        "pick = around(routing.route)",
        "pick(message)",
        "routing:route",
    ),
    "a late import": ("", "__import__('routing').route(message)", "routing:route"),
    "a method": ("import routing", "routing.Router().route(message)", "routing:Router.route"),
    "an inherited method": ("import routing", "routing.Special().route(message)", "routing:Special.route"),
    "a static method": ("import routing", "routing.Router.static(message)", "routing:Router.static"),
    "a class method": ("import routing", "routing.Router.by_class(message)", "routing:Router.by_class"),
    "an object's method": ("import routing", "routing.router.route(message)", "routing:router.route"),
    "a callable object": ("from routing import router as pick", "pick(message)", "routing:router"),
    "a bound method": ("from routing import bound", "bound(message)", "routing:bound"),
    "a cached function": ("from routing import cached", "cached(message)", "routing:cached"),
    "a keyword": ("import routing", "routing.route(limit=3, text=message)", "routing:route"),
}

ROUTING = """
import functools

def route(text, limit=1): return "fire"

class Router:
    def route(self, text): return "fire"
    @staticmethod
    def static(text): return "fire"
    @classmethod
    def by_class(cls, text): return "fire"
    def __call__(self, text): return "fire"

class Special(Router):
    pass

router, other = Router(), Router()
bound = router.route
cached = functools.lru_cache(maxsize=8)(lambda text: "fire")
"""


@pytest.mark.parametrize("name", HOLDERS)
async def test_a_tap_is_found_wherever_the_app_holds_it(tmp_path: Path, name: str) -> None:
    head, call, tap = HOLDERS[name]
    module(tmp_path, ROUTING, "routing")
    source = f"{head}\ndef handle(message):\n    found = {call}\n    open('ran', 'w').close()\n"
    for text, answer in zip("ab", await run(tmp_path, source, "a", "b", tap=[tap]), strict=True):
        assert decided(answer).windows == captured((tap, text))
        assert decided(answer).outcome is Outcome.FIRE
    assert not (tmp_path / "ran").exists()


async def test_a_tapped_object_is_told_from_others_of_its_class(tmp_path: Path) -> None:
    module(tmp_path, ROUTING, "routing")
    source = """
import routing
def handle(message):
    routing.other("not this one")
    routing.other.route("nor this")
    routing.router(message)
"""
    for tap in ("routing:router",):
        (answer,) = await run(tmp_path, source, "a", tap=[tap])
        assert decided(answer).windows == captured((tap, "a"))


TWO = """
def gate(text): return False
def route(text): return "fire"
def handle(message):
    if message == "early":
        return "small talk"
    if not gate(message + "!"):
        route(message)
    open("ran", "w").close()
"""


async def test_of_several_taps_the_one_named_last_decides_and_stops(tmp_path: Path) -> None:
    both, early = await run(tmp_path, TWO, "hi", "early", tap=["app:gate", "app:route"])
    assert decided(both).windows == captured(("app:gate", "hi!"), ("app:route", "hi"))
    assert decided(both).outcome is Outcome.FIRE
    assert not (tmp_path / "ran").exists()
    assert early.status is Status.NOT_REACHED
    assert early.error == "app:handle returned and called none of its taps: app:gate, app:route"
    assert early.log == "app:handle returned 'small talk'\n"


async def test_an_app_that_ends_before_the_last_tap_is_told_from_the_others(tmp_path: Path) -> None:
    source = TWO.replace("return False", "return {'outcome': 'hold'}")
    (answer,) = await run(tmp_path, source, "hi", tap=["app:gate", "app:route"])
    assert decided(answer).outcome is Outcome.HOLD
    assert decided(answer).windows == captured(("app:gate", "hi!"))
    assert decided(answer).flags == ("app:route was not called",)


async def test_after_continue_lets_the_app_run_and_the_last_return_counts(tmp_path: Path) -> None:
    source = """
        def route(text): return "fire" if "again" in text else "hold"
        def handle(message):
            route(message)
            route("again")
            open("ran", "w").close()
            if message == "break":
                raise RuntimeError("no key")
        """
    fine, broken = await run(tmp_path, source, "hi", "break", after="continue")
    assert decided(fine).outcome is Outcome.FIRE
    assert decided(fine).windows == captured(("app:route", "hi"), ("app:route", "again"))
    assert decided(fine).flags == ()
    assert (tmp_path / "ran").exists()
    assert decided(broken).outcome is Outcome.FIRE
    (flag,) = decided(broken).flags
    assert flag.startswith("after the tap, app:handle raised RuntimeError: no key (app.py:")


async def test_calls_within_and_beside_each_other_are_seen_whole(tmp_path: Path) -> None:
    nested = """
        def route(text):
            parts = text.split(" and ")
            if len(parts) > 1:
                return [found for part in parts for found in route(part)]
            return [text]
        def handle(message):
            route(message)
            open("ran", "w").close()
        """
    (answer,) = await run(tmp_path, nested, "mail and calendar")
    assert decided(answer).tools == ("mail", "calendar")
    assert [window.text for window in decided(answer).windows or ()] == [
        "mail",
        "calendar",
        "mail and calendar",
    ]
    beside = """
        import asyncio
        async def route(text):
            await asyncio.sleep(0.05 * len(text))
            return text
        async def handle(message):
            await asyncio.gather(*(route(part) for part in message.split()))
            open("ran", "w").close()
        """
    (answer,) = await run(tmp_path, beside, "bbb a cc")
    assert [window.text for window in decided(answer).windows or ()] == ["a", "cc", "bbb"]
    assert decided(answer).tools == ("bbb",)
    assert not (tmp_path / "ran").exists()


async def test_a_router_that_raises_is_an_error_with_its_window_kept(tmp_path: Path) -> None:
    source = """
        def route(text): raise LookupError("no table")
        def handle(message):
            try:
                route(message)
            except LookupError:
                open("ran", "w").close()
        """
    first, second = await run(tmp_path, source, "a", "b")
    for text, answer in (("a", first), ("b", second)):
        assert answer.status is Status.ERROR
        assert answer.error == "app:route raised LookupError: no table (app.py:3 in route)"
        assert answer.raw == f'{{"windows": [{{"tap": "app:route", "text": "{text}"}}]}}'
    assert not (tmp_path / "ran").exists()


async def test_an_app_that_fails_before_its_router_is_an_error(tmp_path: Path) -> None:
    source = """
        def route(text): return "fire"
        def handle(message): raise RuntimeError("no session")
        """
    (answer,) = await run(tmp_path, source)
    assert answer.status is Status.ERROR
    assert (
        answer.error
        == "app:handle raised RuntimeError: no session (app.py:4 in handle) before any tap was called"
    )


async def test_a_router_that_hangs_ends_at_the_time_limit(tmp_path: Path) -> None:
    source = """
        import time
        def route(text):
            if text == "hang":
                time.sleep(600)
            return "fire"
        def handle(message): return route(message)
        """
    hung, fine = await run(tmp_path, source, "hang", "fine", timeout=1.5)
    assert hung.status is Status.TIMEOUT
    assert decided(fine).outcome is Outcome.FIRE
    assert left(tmp_path) == []


async def test_a_router_that_is_given_no_text_has_no_window(tmp_path: Path) -> None:
    source = """
        def route(number): return "fire"
        def handle(message): return route(len(message))
        """
    (answer,) = await run(tmp_path, source)
    assert decided(answer).windows is None
    assert decided(answer).flags == ("app:route was given no text",)


async def test_what_cannot_be_tapped_is_said(tmp_path: Path) -> None:
    module(tmp_path, ROUTING + "\nvalue = 3\n", "routing")
    source = "def handle(message): pass"
    for tap, words in {
        "routing:Router": "TypeError: tap routing:Router is a class: name a function",
        "routing:value": "TypeError: tap routing:value is a int: name a function",
        "routing:nothing": "AttributeError: module 'routing' has no attribute 'nothing'",
        "missing:route": "ModuleNotFoundError: No module named 'missing'",
    }.items():
        (answer,) = await run(tmp_path, source, tap=[tap])
        assert answer.status is Status.ERROR
        assert answer.error is not None
        assert answer.error.startswith(f"cannot load app:handle: {words}")


async def test_an_entry_may_be_tapped_itself(tmp_path: Path) -> None:
    source = 'def handle(message): return "fire"'
    (answer,) = await run(tmp_path, source, "hi", tap=["app:handle", "app:handle"])
    assert decided(answer).outcome is Outcome.FIRE
    assert decided(answer).windows == captured(("app:handle", "hi"))


async def test_a_wrapped_router_looks_as_before(tmp_path: Path) -> None:
    source = """
        import inspect
        def route(text: str, limit: int = 3) -> str:
            "What to do."
            return "fire"
        def handle(message):
            return route(f"{route.__name__} {route.__doc__} {inspect.signature(route)}")
        """
    (answer,) = await run(tmp_path, source)
    assert decided(answer).windows == captured(
        ("app:route", "route What to do. (text: str, limit: int = 3) -> str")
    )


async def test_an_app_that_routes_in_a_thread_of_its_own_is_ended_there(tmp_path: Path) -> None:
    answers = await run(
        tmp_path,
        """
        import threading
        from pathlib import Path

        def route(text):
            return "tool"

        def handle(text):
            out = []
            thread = threading.Thread(target=lambda: out.append(route(text)))
            thread.start()
            thread.join()
            Path("ran").write_text("after the router")
            return out
        """,
        "one",
        "two",
    )
    assert [answer.status for answer in answers] == [Status.OK, Status.OK]
    assert [decided(answer).called for answer in answers] == [("tool",), ("tool",)]
    assert not (tmp_path / "ran").exists()
