def drain(consumer):
    messages = []
    for message in consumer:
        messages.append(message)
        if len(messages) > 100:
            break
    return messages
