use async_openai::types::*;
const MAX_MEMORY: usize = 2000;
fn build(memory: &str, text: String) -> Vec<Message> {
    let mut messages = vec![Message { role: Role::System, content: "Be brief.".to_string() }]; // <- site
    messages.push(Message { role: Role::User, content: text }); // <- site
    messages
}
