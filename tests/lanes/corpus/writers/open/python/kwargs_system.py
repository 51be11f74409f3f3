import anthropic
def send(client, messages, system, tools):
    kwargs = {"model": "m", "messages": messages}
    if system:
        kwargs["system"] = system  # <- site
    kwargs["tools"] = tools
    return client.messages.create(**kwargs)
