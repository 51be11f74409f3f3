from openai import OpenAI
def go(history, question):
    messages = [{"role": "system", "content": "Be brief."}]  # <- site
    messages.extend(history[-10:])  # <- site
    messages.append({"role": "user", "content": question})  # <- site
    return OpenAI().chat.completions.create(model="m", messages=messages)
