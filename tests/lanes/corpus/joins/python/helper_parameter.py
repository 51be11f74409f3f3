from router import route


def decide(query):
    cleaned = query.strip()
    return route(cleaned)  #: call


def handle(message, context):
    return decide(message + context)  #: join
