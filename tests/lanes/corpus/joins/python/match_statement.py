from router import route


def handle(message, event):
    match event.kind:
        case "reply":
            message = f"{event.quoted}\n{message}"  #: join
        case _:
            message = message.strip()
    return route(message)  #: call
