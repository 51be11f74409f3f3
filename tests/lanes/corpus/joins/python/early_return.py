from router import route


def handle(message, docs):
    if not docs:
        return route(message)
    message = message + "".join(docs)
    return send_to_model(message)
