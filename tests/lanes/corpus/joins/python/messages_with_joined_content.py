from router import classify


def handle(message, context):
    messages = [
        {"role": "system", "content": "Pick a tool."},
        {"role": "user", "content": context + "\n" + message},  #: join
    ]
    return classify(messages)  #: call instead=message
