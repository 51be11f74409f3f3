"""What changes along a conversation: text that no lane owns and that grows was added after the accounting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workbench.core.finding import Severity
from workbench.lanes.fault import LaneFault, LaneKind
from workbench.lanes.ledger.call import line_of
from workbench.lanes.ledger.measured import Measured

__all__ = ["Course", "Growth"]

_LEAST = 3
_MOST_TOLD = 40


@dataclass(slots=True)
class Course:
    """One conversation, request by request. `dark` has only requests with receipts."""

    name: str
    file: str
    line: int | None
    sent: list[int] = field(default_factory=list)
    dark: list[int] = field(default_factory=list)

    @property
    def grows(self) -> bool:
        """Whether dark text never shrinks from turn to turn, and grows more than once."""
        steps = [after - before for before, after in zip(self.dark, self.dark[1:], strict=False)]
        return len(self.dark) >= _LEAST and min(steps) >= 0 and sum(step > 0 for step in steps) > 1


class Growth:
    """Follows every conversation of a capture, in the order of its requests."""

    def __init__(self) -> None:
        self._courses: dict[str, Course] = {}

    def take(self, measured: Measured) -> None:
        place = measured.call.place
        course = self._courses.setdefault(
            measured.conversation, Course(measured.conversation, place.file, line_of(place))
        )
        course.sent.append(measured.sent)
        if measured.receipt is not None and measured.compared:
            course.dark.append(measured.dark)

    def courses(self) -> list[Course]:
        """The conversations of more than one request."""
        return [course for course in self._courses.values() if len(course.sent) > 1]

    def faults(self) -> Iterator[LaneFault]:
        for course in self.courses():
            if course.grows:
                told = ", ".join(f"{size:,}" for size in course.dark[:_MOST_TOLD])
                more = ", …" if len(course.dark) > _MOST_TOLD else ""
                message = (
                    f"dark text grows along {course.name}: {told}{more}; a summary, a scope block or an"
                    " envelope is added after the accounting has run"
                )
                yield LaneFault(
                    LaneKind.GROWTH, Severity.WARNING, message, file=course.file, line=course.line
                )
