from openai import OpenAI
def last_user(messages):
    texts = [m["content"] for m in messages if m["role"] == "user"]
    shown = " | ".join(texts)
    print("last: " + shown)
    return texts[-1]
