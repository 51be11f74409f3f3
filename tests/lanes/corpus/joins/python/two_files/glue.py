def fold(message, documents):
    return message + "\n".join(documents)  #: join
