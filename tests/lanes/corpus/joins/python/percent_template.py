from router import route


def handle(question, quoted):
    query = "%s\n\n%s" % (quoted, question)  #: join
    return route(query)  #: call instead=question
