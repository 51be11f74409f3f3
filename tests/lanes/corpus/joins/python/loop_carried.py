from router import route


def handle(message, docs):
    plans = []
    query = message
    for doc in docs:
        plans.append(route(query))  #: call instead=message
        query = query + doc  #: join
    return plans
