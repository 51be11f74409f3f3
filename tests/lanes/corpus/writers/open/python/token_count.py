from openai import OpenAI
def total(replies):
    prompt_tokens = 0
    for reply in replies:
        prompt_tokens += reply.usage.prompt_tokens
    system_cost = 0
    system_cost += prompt_tokens * 2
    return prompt_tokens + system_cost
