def save(session, Message, conversation, text):
    row = Message(conversation_id=conversation, role="user", content=text)
    session.add(row)
    session.execute("INSERT INTO messages (role, content) VALUES (?, ?)", ("user", text))
