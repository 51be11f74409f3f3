import json
from anthropic import Anthropic
def loop(client: Anthropic, messages, run):
    reply = client.messages.create(model="claude", max_tokens=99, messages=messages)
    messages.append({"role": "assistant", "content": reply.content})  # <- site
    results = []
    for block in reply.content:
        if block.type == "tool_use":
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": json.dumps(run(block))[:8000]})  # <- site budget=8000
    messages.append({"role": "user", "content": results})  # <- site
