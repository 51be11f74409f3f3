fn add(body: &mut Request, rules: String) {
    body.messages.insert(0, ChatMessage::system(rules)); // <- site
}
