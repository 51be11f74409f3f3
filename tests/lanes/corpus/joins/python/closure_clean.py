from router import route


def make(message, page_text):
    full = f"{message}\n{page_text}"

    def later():
        return route(message), full

    return later
