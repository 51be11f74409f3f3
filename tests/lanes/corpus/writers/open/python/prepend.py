def with_rules(messages, rules):
    messages = [{"role": "system", "content": rules}] + messages  # <- site
    return messages
