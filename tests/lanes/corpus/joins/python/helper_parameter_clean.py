from router import route


def decide(query):
    cleaned = query.strip()
    return route(cleaned)


def handle(message, context):
    plan = decide(message)
    return plan, message + context
