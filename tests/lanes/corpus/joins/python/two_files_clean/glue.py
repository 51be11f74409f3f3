def both(message, documents):
    typed = message.strip()
    return typed, typed + "\n".join(documents)
