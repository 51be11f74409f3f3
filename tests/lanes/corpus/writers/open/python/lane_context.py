from workbench_ledger import lane
def assemble(memory, tools):
    messages = [{"role": "system", "content": BASE}]  # <- site
    with lane("memory"):
        messages.append({"role": "system", "content": memory})  # <- site lane=memory
    # lane: tool_results
    messages.append({"role": "system", "content": tools[:1500]})  # <- site lane=tool_results budget=1500
    return messages
