from router import route


def handle(message, document):
    full = f"{message}\n{document}"
    if len(full) > 2000:
        full = full[:2000]
    plan = route(message[:200])
    return plan, full
