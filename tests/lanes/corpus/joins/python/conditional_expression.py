from router import route


def handle(message, doc=None):
    query = message + "\n" + doc if doc else message  #: join
    return route(query)  #: call instead=message
