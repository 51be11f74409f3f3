from app.models import Message, db
def store(conversation_id, text, reply):
    db.session.add(Message(conversation_id=conversation_id, role="user", content=text))
    db.session.add_all([Message(conversation_id=conversation_id, role="assistant", content=reply)])
