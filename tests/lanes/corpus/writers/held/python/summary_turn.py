import litellm
def compact(history, keep=6):
    old, recent = history[:-keep], history[-keep:]
    text = "\n".join(f"{m['role']}: {m['content']}" for m in old)  # <- site
    summary = litellm.completion(model="m", messages=[{"role": "user", "content": "Summarise:\n" + text}])  # <- site
    return [{"role": "system", "content": "Earlier: " + summary}] + recent  # <- site
