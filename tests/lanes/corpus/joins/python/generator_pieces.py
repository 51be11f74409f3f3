from router import route


def pieces(message, documents):
    yield message
    for document in documents:
        yield document.text


def handle(message, documents):
    return route("\n".join(pieces(message, documents)))  #: join #: call
