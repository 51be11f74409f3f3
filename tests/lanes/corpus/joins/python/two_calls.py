from router import classify, route


def handle(message, context):
    first = route(message)
    full = message + context  #: join
    if classify(full) == "chat":
        return first
    return route(full)  #: call instead=message
