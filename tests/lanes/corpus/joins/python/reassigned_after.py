from router import route


def handle(message, docs):
    query = message + "".join(docs)
    query = message
    return route(query)
