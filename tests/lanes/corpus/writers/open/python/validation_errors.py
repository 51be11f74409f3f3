def validate(data):
    messages = []
    if not data.get("name"):
        messages.append("name is required")
    messages.extend(f"unknown field {k}" for k in data if k not in ("name",))
    return "\n".join(messages)
