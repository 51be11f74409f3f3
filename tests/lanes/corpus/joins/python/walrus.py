from router import route


def handle(message, page):
    if (query := f"{page.text}\n{message}"):  #: join
        return route(query)  #: call instead=message
    return None
