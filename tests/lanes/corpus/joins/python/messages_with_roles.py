from router import classify


def handle(message, context):
    messages = [{"role": "system", "content": context}, {"role": "user", "content": message}]
    return classify(messages)
