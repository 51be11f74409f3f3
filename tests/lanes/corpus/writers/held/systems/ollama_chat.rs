use ollama_rs::generation::chat::ChatMessage;
fn start(history: &mut Vec<ChatMessage>, rules: &str, text: &str) {
    history.push(ChatMessage::system(rules.to_string())); // <- site
    history.push(ChatMessage::user(text.to_string())); // <- site
}
