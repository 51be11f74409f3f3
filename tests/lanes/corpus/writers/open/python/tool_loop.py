from anthropic import Anthropic
def loop(client: Anthropic, messages, calls):
    results = []
    for call in calls:
        results.append({"type": "tool_result", "tool_use_id": call.id, "content": truncate(call.output, 2000)})  # <- site budget=2000
    messages.append({"role": "user", "content": results})  # <- site
