from openai import OpenAI
client = OpenAI()
MAX_MEMORY = 600
def turn(question, memory):
    messages = [  # <- site
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": question},
    ]
    messages.insert(1, {"role": "system", "content": memory[:MAX_MEMORY]})  # <- site budget=600
    return client.chat.completions.create(model="gpt-4o", messages=messages)
