from router import route


def handle(message, path):
    plan = route(message)
    try:
        with open(path) as handle:
            message = message + handle.read()
    finally:
        release(plan)
    return message
