from jinja2 import Environment
from openai import OpenAI
env = Environment()
def ask(rows, question):
    prompt = env.get_template("ask.md").render(rows=rows, question=question)  # <- site
    return OpenAI().responses.create(model="gpt-5", input=prompt)
