from glue import fold
from router import route


def handle(message, documents):
    query = fold(message, documents)
    return route(query)  #: call instead=message
