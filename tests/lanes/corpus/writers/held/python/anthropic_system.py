import anthropic
client = anthropic.Anthropic()
def ask(profile, question):
    system = "You answer briefly.\n"
    system += f"<profile>{profile[:1200]}</profile>"  # <- site budget=1200 fence
    reply = client.messages.create(  # <- site
        model="claude-sonnet-4-5", max_tokens=500,
        system=system,
        messages=[{"role": "user", "content": question}],
    )
    return reply.content[0].text
