from .glue import both
from router import route


def handle(message, documents):
    typed, full = both(message, documents)
    return route(typed), full
