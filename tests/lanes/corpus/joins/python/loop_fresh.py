from router import route


def handle(message, docs):
    plans = []
    for doc in docs:
        query = message
        plans.append(route(query))
        query = query + doc
    return plans
