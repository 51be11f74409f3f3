def build_system_prompt(user, memory, tools):
    parts = ["You are Ada."]
    if memory:
        parts.append("## Memory\n" + memory)  # <- site
    if tools:
        parts.append(f"## Tools\n{tools}")  # <- site
    return "\n\n".join(parts)  # <- site
