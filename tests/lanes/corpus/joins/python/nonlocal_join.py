from router import route


def make(message, chunks):
    query = message

    def extend():
        nonlocal query
        for chunk in chunks:
            query += chunk  #: join

    extend()
    return route(query)  #: call instead=message
