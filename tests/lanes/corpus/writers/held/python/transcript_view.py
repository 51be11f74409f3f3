def transcript(messages):
    out = []
    for m in messages:
        out.append(f"{m['role']}: {m['content']}")
    return "\n".join(out)
