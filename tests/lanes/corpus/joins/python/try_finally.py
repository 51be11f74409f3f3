from router import route


def handle(message, path):
    try:
        with open(path) as handle:
            message = message + handle.read()  #: join
    except OSError:
        pass
    finally:
        plan = route(message)  #: call
    return plan
