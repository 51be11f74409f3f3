"""The prompt of the line loop: the one place that knows prompt-toolkit."""

from __future__ import annotations

import asyncio
import signal
import sys
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.shortcuts import PromptSession
from prompt_toolkit.styles import Style

from workbench.core.errors import WorkbenchError
from workbench.core.text import is_invisible, safe, visible
from workbench.shell import history
from workbench.shell.completion import offers
from workbench.shell.lexer import lit_lines
from workbench.shell.paste import Draft, Tracker
from workbench.shell.preview import Preview, keyword_preview
from workbench.shell.session import Session, goes_on, is_command
from workbench.shell.stage import Stage
from workbench.shell.talk import Talk, Went
from workbench.shell.toolbar import toolbar

__all__ = ["serve_terminal"]

# Each look says by more than colour what it is: a paste is underlined, what fires reversed, what holds bold.
_LOOKS = {
    "paste": "underline ansiyellow",
    "fires": "reverse ansimagenta",
    "holds": "bold ansicyan",
    "fire": "bold ansimagenta",
    "hold": "bold ansicyan",
    "pass": "bold",
    "muted": "",
    "prompt": "bold",
    "bottom-toolbar": "noreverse",
    "bottom-toolbar.text": "",
}
_LEAVING = tuple(
    number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)


_INTERRUPTED = 130


async def serve_terminal(stage: Stage, session: Session, talk: Talk) -> None:
    """Ask for lines and have them answered, until Ctrl-D or a command leaves."""
    kept = history.load(stage.history)
    tracker = Tracker(kept)
    look = _Look(session, tracker)
    prompt = _prompt(stage, session, tracker, look, _Kept(kept))
    stage.say(safe("a line is sent as it is; /help says what else there is, Ctrl-D leaves"))
    while True:
        tracker.start()
        try:
            with _leaving():
                await prompt.prompt_async()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        draft = tracker.draft
        if draft.text.strip():
            _keep(stage, tracker, draft)
        if await talk.take(draft) is Went.LEAVE:
            return


def _keep(stage: Stage, tracker: Tracker, draft: Draft) -> None:
    if not tracker.keep(draft):
        return
    try:
        history.append(stage.history, draft)
    except WorkbenchError as error:
        stage.tell(error)


@contextmanager
def _leaving() -> Iterator[None]:
    """While the terminal is the prompt's, a signal to end interrupts, so that it is given back as it was."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    asked: list[bool] = []

    def leave() -> None:
        asked.append(task.cancel())

    with suppress(NotImplementedError):  # Windows
        for number in _LEAVING:
            loop.add_signal_handler(number, leave)
    try:
        yield
    except asyncio.CancelledError:
        if not asked:
            raise
        task.uncancel()
        raise SystemExit(_INTERRUPTED) from None
    finally:
        with suppress(NotImplementedError):
            for number in _LEAVING:
                loop.remove_signal_handler(number)


def _prompt(
    stage: Stage, session: Session, tracker: Tracker, look: _Look, kept: History
) -> PromptSession[str]:
    prompt: PromptSession[str] = PromptSession(
        message=[("class:prompt", safe("> "))],
        prompt_continuation=[("class:prompt", safe(". "))],
        multiline=True,
        history=kept,
        lexer=_Lexer(tracker, look),
        input_processors=[_Visible()],
        completer=_Completer(session, tracker),
        complete_while_typing=False,
        bottom_toolbar=lambda: _styled(toolbar(session, look.preview, tracker.draft)),
        key_bindings=_keys(tracker),
        style=Style.from_dict(_LOOKS if stage.colour else _without_colour(_LOOKS)),
        include_default_pygments_style=False,
        enable_suspend=True,
        reserve_space_for_menu=6,
        color_depth=None if stage.colour else ColorDepth.DEPTH_1_BIT,
        output=create_output(stdout=sys.stderr),
    )
    _follow(prompt, tracker)
    return prompt


def _follow(prompt: PromptSession[str], tracker: Tracker) -> None:
    """Tell the tracker of every change. A paste is announced by its key, see `_keys`."""
    buffer, place = prompt.default_buffer, 0

    def pressed(_: KeyProcessor) -> None:
        # Loading history moves the line to another number in silence; within one key only a recall does.
        nonlocal place
        place = buffer.working_index

    def changed(now: Buffer) -> None:
        nonlocal place
        if now.working_index != place:
            tracker.recall(now.text, now.cursor_position, place, now.working_index)
            place = now.working_index
        else:
            tracker.change(now.text, now.cursor_position)

    def moved(now: Buffer) -> None:
        tracker.cursor = now.cursor_position

    prompt.app.key_processor.before_key_press += pressed
    buffer.on_text_changed += changed
    buffer.on_cursor_position_changed += moved


def _without_colour(looks: dict[str, str]) -> dict[str, str]:
    return {
        name: " ".join(word for word in look.split() if not word.startswith("ansi"))
        for name, look in looks.items()
    }


def _styled(pieces: Iterable[tuple[str, str]]) -> StyleAndTextTuples:
    return [(f"class:{look}" if look else "", text) for look, text in pieces]


# Keys


def _keys(tracker: Tracker) -> KeyBindings:
    keys = KeyBindings()
    at_prompt = has_focus(DEFAULT_BUFFER)

    @keys.add("enter", filter=at_prompt)
    def _send(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if goes_on(tracker.draft):
            buffer.cursor_position = len(buffer.text)
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=at_prompt)
    def _add_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        text = event.data.replace("\r\n", "\n").replace("\r", "\n")
        buffer = event.current_buffer
        if buffer.name != DEFAULT_BUFFER:  # the search line shows what it is given
            text = "".join(char for char in text if not is_invisible(char))
        else:
            tracker.expect_paste()
        buffer.insert_text(text)

    @keys.add("escape", "t", filter=at_prompt)
    def _take_as_typed(event: KeyPressEvent) -> None:
        tracker.take_as_typed()

    return keys


# How the line is drawn


class _Look:
    """The preview of the adapters chosen at the moment."""

    def __init__(self, session: Session, tracker: Tracker) -> None:
        self._session = session
        self._tracker = tracker
        self._chosen: tuple[str, ...] | None = None
        self._preview: Preview | None = None

    @property
    def preview(self) -> Preview | None:
        chosen = self._session.settings.adapters
        if chosen != self._chosen:
            self._chosen, self._preview = chosen, keyword_preview(self._session.workspace, chosen)
        return self._preview


class _Lexer(Lexer):
    """Pasted text, and phrases that match, in styles of their own. The characters stay as they are."""

    def __init__(self, tracker: Tracker, look: _Look) -> None:
        self._tracker = tracker
        self._look = look

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        draft = self._tracker.draft
        if draft.text != document.text:
            draft = Draft(document.text)
        preview = None if is_command(draft) else self._look.preview
        lines = lit_lines(draft, preview.look(draft.text) if preview is not None else None)

        def line(number: int) -> StyleAndTextTuples:
            if not 0 <= number < len(lines):
                return []
            return [(" ".join(f"class:{look}" for look in looks), piece) for piece, looks in lines[number]]

        return line

    def invalidation_hash(self) -> Hashable:
        preview = self._look.preview
        return (self._tracker.draft.pastes, self._look.preview, preview and preview.stamp)


class _Visible(Processor):
    """The last step before the terminal: what it would obey or hide is drawn as a mark."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments: StyleAndTextTuples = []
        widths: list[int] = []
        for style, text, *_ in transformation_input.fragments:
            shown = [visible(char) for char in text]
            fragments.append((style, visible(text)))
            widths += map(len, shown)
        starts = [0, *accumulate(widths)]
        if starts[-1] == len(widths):
            return Transformation(fragments)
        return Transformation(
            fragments,
            source_to_display=lambda at: starts[min(at, len(widths))] + max(0, at - len(widths)),
            display_to_source=lambda at: min(bisect_right(starts, at) - 1, len(widths)),
        )


class _Completer(Completer):
    """Tab in a command."""

    def __init__(self, session: Session, tracker: Tracker) -> None:
        self._session = session
        self._tracker = tracker

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        draft = self._tracker.draft
        before = document.text_before_cursor
        spans = tuple(span for span in draft.pastes if span[1] <= len(before))
        for offer in offers(self._session, Draft(before, spans)):
            yield Completion(
                offer.text,
                start_position=-offer.length,
                display=[("", offer.shown)],
                display_meta=[("", offer.about)],
            )


class _Kept(History):
    """The lines of earlier sessions. They are written elsewhere, with their pastes."""

    def __init__(self, kept: Iterable[Draft]) -> None:
        super().__init__()
        self._kept = [draft.text for draft in kept]

    def load_history_strings(self) -> Iterable[str]:
        return reversed(self._kept)

    def store_string(self, string: str) -> None:
        """Nothing: see `_keep`."""
