class Client:
    def __init__(self, system_prompt, messages):
        self.system_prompt = system_prompt
        self.messages = list(messages)
    def send(self, llm):
        return llm.chat.completions.create(model="m", messages=self.messages)
