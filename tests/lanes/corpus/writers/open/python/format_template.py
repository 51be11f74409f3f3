import ollama
TEMPLATE = """Use the notes to answer.
Notes: {notes}
Question: {question}"""
def ask(notes, question):
    prompt = TEMPLATE.format(notes=notes[:4000], question=question)  # <- site budget=4000
    return ollama.generate(model="llama3", prompt=prompt)["response"]
