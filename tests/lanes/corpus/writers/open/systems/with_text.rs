use crate::conversation::message::Message;
pub fn inject(mut messages: Vec<Message>, note: String) -> Vec<Message> {
    let at = messages.len().saturating_sub(1);
    messages.insert(at, Message::user().with_text(note)); // <- site
    messages
}
