from gateway.router import route


def handle(message: str, context: str) -> str:
    typed = message
    message = f"{message}\n\n{context}"  #: join
    decision = route(message)  #: call instead=typed
    return run(decision, typed)
