from router import route


def handle(message, quoted, files):
    for path in files:
        message = message + "\n" + open(path).read()  #: join 1
    if quoted:
        message = "> " + quoted + "\n\n" + message  #: join 2
    return route(message)  #: call 1 2
