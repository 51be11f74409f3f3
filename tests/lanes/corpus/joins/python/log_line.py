from router import route


def handle(message, document):
    logger.info(f"{message} with {document.name}")
    return route(message)
