from router import route


def handle(message, context="", query=None):
    query = query or message + context  #: join
    return route(query)  #: call instead=message
