from langchain.memory import ChatMessageHistory
history = ChatMessageHistory()
def remember(text, answer):
    history.add_user_message(text)  # <- site
    history.add_ai_message(answer)  # <- site
