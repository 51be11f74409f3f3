"""Commands and prompts, without a terminal and without an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest
from shell_parts import shipped_copy

from workbench.core.errors import UsageError, WorkbenchError
from workbench.files.workspace import load_workspace
from workbench.shell.completion import offers
from workbench.shell.delivery import Settings
from workbench.shell.paste import Draft
from workbench.shell.session import COMMANDS, Session, goes_on, is_command, without_backslash


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = shipped_copy(tmp_path)
    made = Session(load_workspace(root), root.resolve(), Settings(()))
    made.choose_adapters(())
    return made


def say(session: Session, text: str) -> str:
    return "\n".join(session.handle(Draft(text)).talk)


def test_a_line_is_a_prompt_and_goes_as_it_is(session: Session) -> None:
    reply = session.handle(Draft("  check my calendar "))
    assert reply.send == Draft("  check my calendar ")
    assert not reply.talk
    assert not reply.leave


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_line_does_nothing(session: Session, text: str) -> None:
    reply = session.handle(Draft(text))
    assert reply.send is None
    assert not reply.talk
    assert session.sent is None


def test_two_slashes_begin_a_prompt_with_one(session: Session) -> None:
    assert session.handle(Draft("//etc is full", ((2, 5),))).send == Draft("/etc is full", ((1, 4),))


def test_a_pasted_slash_is_no_command(session: Session) -> None:
    pasted = Draft("/quit", ((0, 5),))
    assert session.handle(pasted).send == pasted
    assert session.handle(Draft("//quit", ((0, 6),))).send == Draft("//quit", ((0, 6),))


@pytest.mark.parametrize(
    ("typed", "meant"), [("/adaptr held", "/adapter"), ("/envelop", "/envelope"), ("/quite", "/quit")]
)
def test_an_unknown_command_says_the_nearest(session: Session, typed: str, meant: str) -> None:
    with pytest.raises(UsageError, match="there is no command") as raised:
        session.handle(Draft(typed))
    assert f'did you mean "{meant}"?' in (raised.value.problems[0].hint or "")


@pytest.mark.parametrize("typed", ["/", "/ adapter", "/zzz"])
def test_no_command_at_all(session: Session, typed: str) -> None:
    with pytest.raises(UsageError, match="there is no command"):
        session.handle(Draft(typed))


def test_adapters(session: Session) -> None:
    assert say(session, "/adapter held fixed held").startswith("adapters: held, fixed |")
    assert session.settings.adapters == ("held", "fixed")
    assert say(session, "/adapter").startswith("adapters: all |")
    with pytest.raises(UsageError, match='unknown adapter "hled"'):
        session.handle(Draft("/adapter hled"))
    assert len(session.settings.adapters) == 8


def test_envelopes(session: Session) -> None:
    say(session, "/envelope channel channel(reply)")
    assert session.settings.envelopes == ("channel", "channel(reply)")
    for broken in ("/envelope chanel", "/envelope channel(", "/envelope paste"):
        with pytest.raises(WorkbenchError):
            session.handle(Draft(broken))
    assert say(session, "/envelope none").endswith("envelopes: none")
    say(session, "/envelope channel")
    say(session, "/envelope")
    assert not session.settings.envelopes


def test_files(session: Session) -> None:
    (session.cwd / "my notes.txt").write_text("hello")
    assert "file: my notes.txt" in say(session, "/attach 'my notes.txt'")
    assert session.settings.attach[0].path == str(session.cwd / "my notes.txt")
    with pytest.raises(WorkbenchError, match="cannot be read"):
        session.handle(Draft("/attach nowhere.txt"))
    with pytest.raises(UsageError, match="quotes come in pairs"):
        session.handle(Draft("/attach 'my notes.txt"))
    assert "file" not in say(session, "/attach")


@pytest.mark.parametrize("words", ["", "0", "-1", "two", "1 2", "²", "9999999"])
def test_repeat_wants_a_number(session: Session, words: str) -> None:
    with pytest.raises(UsageError):
        session.handle(Draft(f"/repeat {words}"))
    assert session.settings.repeat == 1


def test_again_sends_the_last_prompt_to_where_lines_go_now(session: Session) -> None:
    with pytest.raises(UsageError, match="no prompt was sent yet"):
        session.handle(Draft("/again"))
    prompt = Draft("see One click", ((4, 13),))
    session.handle(prompt)
    session.handle(Draft("/repeat 3"))
    assert session.handle(Draft("/again")).send == prompt
    assert session.sent == (prompt, session.settings)


def test_help_names_every_command(session: Session) -> None:
    lines = session.handle(Draft("/help")).data
    for name in COMMANDS:
        assert any(line.startswith(f"/{name}") for line in lines)


def test_quit(session: Session) -> None:
    assert session.handle(Draft("/quit")).leave


def test_hostile_names_are_told_as_marks(session: Session) -> None:
    with pytest.raises(UsageError) as raised:
        session.handle(Draft("/adapter \x1b]0;PWN\x07"))
    assert "\x1b" in str(raised.value), "problems are raw, and drawn by the one who prints them"
    (session.cwd / "\x1b[31m.txt").write_text("x")
    assert "file: ␛[31m.txt" in say(session, "/attach '\x1b[31m.txt'")


@pytest.mark.parametrize(
    ("text", "pastes", "more"),
    [
        ("one \\", (), True),
        ("one \\\\", (), False),
        ("one", (), False),
        ("", (), False),
        ("/attach a\\", (), False),
        ("see C:\\", ((4, 7),), False),
    ],
)
def test_a_backslash_at_the_end_adds_a_line(text: str, pastes: tuple[tuple[int, int]], more: bool) -> None:
    assert goes_on(Draft(text, pastes)) is more


def test_the_backslash_becomes_a_line_feed() -> None:
    assert without_backslash("one \\") == "one \n"


def offered(session: Session, text: str) -> list[str]:
    return [text[: len(text) - offer.length] + offer.text for offer in offers(session, Draft(text))]


def test_completion(session: Session) -> None:
    assert offered(session, "/a") == ["/adapter", "/attach", "/again"]
    assert offered(session, "/adapter he") == ["/adapter held"]
    assert offered(session, "/adapter held k") == ["/adapter held keywords"]
    assert "/adapter held held" not in offered(session, "/adapter held ")
    assert offered(session, "/envelope chan") == ["/envelope channel"]
    assert offered(session, "/envelope channel(rep") == ["/envelope channel(reply"]
    assert offered(session, "/save can") == ["/save canary"]
    assert offered(session, "/repeat ") == []
    assert offered(session, "a prompt") == []
    assert offered(session, "//a") == []


def test_completion_of_files(session: Session) -> None:
    (session.cwd / "my notes.txt").write_text("x")
    (session.cwd / "my\x1bodd.txt").write_text("x")
    assert offered(session, "/attach sc") == ["/attach scenarios/"]
    assert offered(session, "/attach scenarios/canary.t") == ["/attach scenarios/canary.txt"]
    assert "/attach 'my notes.txt'" in offered(session, "/attach my")
    assert offered(session, "/attach 'my no") == ["/attach 'my notes.txt'"]
    assert offered(session, "/attach a.txt 'my no") == ["/attach a.txt 'my notes.txt'"]
    assert offered(session, "/attach nowhere/x") == []
    assert not [text for text in offered(session, "/attach ") if "/attach ." in text]
    shown = [offer.shown for offer in offers(session, Draft("/attach my"))]
    assert "my␛odd.txt" in shown


def test_every_offer_of_a_file_can_be_taken(session: Session) -> None:
    for name in ("a b", "it's", 'quo"te', "new\nline", "ünï", "$HOME", "semi;colon"):
        (session.cwd / f"zz{name}").write_text("x")
    lines = offered(session, "/attach zz")
    assert len(lines) == 7
    for line in lines:
        assert is_command(Draft(line))
        assert session.handle(Draft(line)).talk
