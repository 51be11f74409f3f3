from router import route


def handle(message, docs):
    if docs:
        message = message + "".join(docs)
    if not docs:
        return route(message)
    return send_to_model(message)
