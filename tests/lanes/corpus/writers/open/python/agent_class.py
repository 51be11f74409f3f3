from openai import AsyncOpenAI
class Agent:
    def __init__(self, persona):
        self.client = AsyncOpenAI()
        self.messages = [{"role": "system", "content": persona}]  # <- site
    async def step(self, text):
        self.messages.append({"role": "user", "content": text})  # <- site
        reply = await self.client.chat.completions.create(model="gpt-4o", messages=self.messages)
        self.messages.append(reply.choices[0].message)  # <- site
        return reply
