from router import route


def handle(question, doc_id, page_number):
    key = f"{question} #{doc_id} p. {page_number}"
    return route(key)
