from workbench.ledger import lane
def assemble(parts, memory):
    system_prompt = ""
    with lane("memory") as claimed:
        system_prompt += "## Memory\n" + memory  # <- site lane=memory
        claimed.append(memory)
    return system_prompt
