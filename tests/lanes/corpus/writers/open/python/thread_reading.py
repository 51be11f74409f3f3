from openai import OpenAI
client = OpenAI()
def last(thread):
    reply = client.beta.threads.messages.list(thread_id=thread).data[0]
    text = "".join(part.text.value for part in reply.content)
    return text
