import anthropic
def text_of(reply):
    text = "\n".join(block.text for block in reply.content if block.type == "text")
    roles = [m for m in reply.messages if m["role"] == "system"]
    return text, roles
