from gateway.router import route


def handle(message: str, context: str) -> str:
    typed = message
    message = message + "\n\n" + context
    decision = route(typed)
    return run(decision, message)
