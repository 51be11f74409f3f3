from openai import OpenAI
class Bot:
    def __init__(self, persona, facts):
        self.system_prompt = f"You are {persona}.\n"  # <- site
        for fact in facts:
            self.system_prompt += f"- {fact}\n"  # <- site
    def say(self, text):
        return OpenAI().chat.completions.create(  # <- site
            model="m", messages=[{"role": "system", "content": self.system_prompt}, {"role": "user", "content": text}]
        )
