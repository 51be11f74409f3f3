from semantic_kernel.contents import ChatHistory
chat = ChatHistory()
chat.add_system_message("You are a bot.")  # <- site
async def turn(kernel, text):
    chat.add_user_message(text)  # <- site
