from router import route


def make(message, page_text):
    full = f"{message}\n{page_text}"  #: join

    def later():
        return route(full)  #: call instead=message

    return later
