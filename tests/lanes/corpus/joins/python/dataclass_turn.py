from dataclasses import dataclass

from router import route


@dataclass
class Turn:
    typed: str
    text: str


def handle(message, document):
    turn = Turn(typed=message, text=message + document)  #: join
    return route(turn.text)  #: call
