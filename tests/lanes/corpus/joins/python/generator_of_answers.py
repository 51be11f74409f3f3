from router import route


def handle(message, documents):
    plan = route(message)
    for document in documents:
        yield plan, f"{message}: {document.text}"
