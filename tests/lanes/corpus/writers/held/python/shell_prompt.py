import os
from prompt_toolkit import PromptSession
def loop():
    session = PromptSession()
    prompt = os.getcwd() + " $ "
    prompt += "> "
    return session.prompt(prompt)
