from router import route


def add_documents(turn, documents):
    for document in documents:
        turn["text"] = turn["text"] + document  #: join


def handle(message, documents):
    turn = {"text": message}
    add_documents(turn, documents)
    return route(turn["text"])  #: call instead=message
