from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.llms.openai import OpenAI
def answer(nodes, q):
    context = "\n\n".join(n.get_content() for n in nodes)
    history = [ChatMessage(role=MessageRole.SYSTEM, content=f"Context:\n{context}")]  # <- site
    history.append(ChatMessage(role="user", content=q))  # <- site
    return OpenAI().chat(history)
