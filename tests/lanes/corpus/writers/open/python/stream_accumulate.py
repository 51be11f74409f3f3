from openai import OpenAI
def stream(messages):
    full_text = ""
    for chunk in OpenAI().chat.completions.create(model="m", messages=messages, stream=True):
        full_text += chunk.choices[0].delta.content or ""
    return full_text
