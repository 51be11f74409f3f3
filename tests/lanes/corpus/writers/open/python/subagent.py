from claude_agent_sdk import ClaudeAgentOptions, query
async def run(task, rules):
    options = ClaudeAgentOptions(system_prompt=rules + "\nBe brief.", max_turns=3)  # <- site
    async for message in query(prompt=f"Do this:\n{task}", options=options):  # <- site
        print(message)
