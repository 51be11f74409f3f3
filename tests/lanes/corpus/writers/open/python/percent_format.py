from llm import ask
PROMPT = "Translate to %s:\n%s"
def translate(lang, text):
    prompt = PROMPT % (lang, text)  # <- site
    return ask(prompt)
