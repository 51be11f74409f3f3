from openai import OpenAI
def shots(examples, question):
    messages = [{"role": "user" if i % 2 == 0 else "assistant", "content": e} for i, e in enumerate(examples)]  # <- site
    messages += [{"role": "user", "content": question}]  # <- site
    return OpenAI().chat.completions.create(model="gpt-4o", messages=messages)
