from router import route


def handle(message, attachments):
    turn = {"typed": message, "text": message}
    for attachment in attachments:
        turn["text"] += attachment.body  #: join
    return route(turn["text"])  #: call
