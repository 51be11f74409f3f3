from router import route


def handle(message, context):
    full = message + context

    def inner(full):
        return route(full)

    return inner(message), full
