import anthropic
def question(docs, q):
    prompt = "\n".join(f"[{i}] {d[:2000]}" for i, d in enumerate(docs)) + "\n\n" + q  # <- site budget=2000
    return anthropic.Anthropic().messages.create(model="claude", max_tokens=9, messages=[{"role": "user", "content": prompt}])  # <- site
