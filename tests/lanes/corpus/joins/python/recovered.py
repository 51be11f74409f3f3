from gateway.envelopes import strip_documents
from router import route


def handle(message, document):
    message = f"{message}\n<document>\n{document}\n</document>"
    return route(strip_documents(message))
