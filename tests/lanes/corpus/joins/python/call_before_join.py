from gateway.router import route


def handle(message: str, context: str) -> str:
    decision = route(message)
    message = message + "\n\n" + context
    return run(decision, message)
