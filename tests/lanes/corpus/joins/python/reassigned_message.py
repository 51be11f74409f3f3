from gateway.router import route


def handle(message: str, context: str) -> str:
    log(len(message))
    message = message + "\n\n" + context  #: join
    decision = route(message)  #: call instead=none
    return decision.name
