from router import route


def handle(message, context):
    return route(message, context=context)
