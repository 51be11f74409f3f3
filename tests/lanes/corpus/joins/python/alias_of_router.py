from router import route as choose


def handle(message, snippets):
    query = message + " ".join(snippets)  #: join
    return choose(query)  #: call instead=message
