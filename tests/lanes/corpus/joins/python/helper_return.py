from router import route


def with_documents(message, documents):
    parts = [message]
    for document in documents:
        parts.append(document.text)
    return "\n\n".join(parts)  #: join


def handle(message, documents):
    query = with_documents(message, documents)
    return route(query)  #: call instead=message
