from dataclasses import dataclass

from router import route


@dataclass
class Turn:
    typed: str
    text: str


def handle(message, document):
    turn = Turn(message, message + document)
    return route(turn.typed)
