from router import route


def handle(message, docs, kind):
    if kind == "file":
        message = message + "".join(docs)  #: join
    elif kind == "voice":
        message = message.lower()
    return route(message)  #: call
