from router import route


def render(message: str):
    shown = f"<b>{message}</b>"
    return route(shown)
