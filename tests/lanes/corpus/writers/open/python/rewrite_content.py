def add_page(messages, page):
    messages[-1]["content"] += f"\n\n<page>\n{page}\n</page>"  # <- site fence
    return messages
