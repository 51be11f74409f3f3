SYSTEM_PROMPT = """You are a careful reviewer.
Answer in JSON."""
ROLES = ("system", "user", "assistant")
HELP = "Type /prompt to see the prompt. " + "Type /quit to leave."
