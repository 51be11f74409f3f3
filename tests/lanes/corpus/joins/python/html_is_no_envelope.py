from router import route


def render(message: str):
    shown = f"<p>{message}</p>"
    return route(message), shown
