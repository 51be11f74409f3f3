from router import route


def handle(message, doc=None):
    title = doc if doc else message
    return route(message), title
