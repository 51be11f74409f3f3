from router import route

TEMPLATE = "{question}\n\nUse these notes:\n{notes}"


def handle(question, retrieved):
    query = TEMPLATE.format(question=question, notes=retrieved)  #: join
    return route(query)  #: call instead=question
