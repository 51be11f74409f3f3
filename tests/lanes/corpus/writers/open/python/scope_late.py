from app.assemble import build_messages
import anthropic
def call_model(turn):
    messages = build_messages(turn)
    if turn.scope:
        messages[0]["content"] += "\n\n" + turn.scope  # <- site late
    messages.append({"role": "user", "content": turn.note})  # <- site late
    return anthropic.Anthropic().messages.create(model="claude", max_tokens=9, messages=messages)
