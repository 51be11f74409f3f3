from router import route


def with_documents(message, documents):
    parts = [message]
    for document in documents:
        parts.append(document.text)
    return "\n\n".join(parts)


def handle(message, documents):
    prompt = with_documents(message, documents)
    return prompt, route(message)
