from router import route

SYSTEM = "You are a router."


def handle(message):
    prompt = f"{SYSTEM}\nUser: {message}"
    return route(prompt)
