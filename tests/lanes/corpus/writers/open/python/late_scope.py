from app.prompts import assemble_context
from app.llm import client
def handle(turn, scope):
    prompt = assemble_context(turn)
    prompt += "\n\n---\n\n" + scope.suffix()  # <- site late
    return client.responses.create(model="gpt-5", input=prompt)
