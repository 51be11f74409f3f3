from agents import Agent, Runner
def make(style):
    return Agent(name="Writer", instructions=f"Write in this style: {style}")  # <- site
