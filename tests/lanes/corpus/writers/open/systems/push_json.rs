pub fn to_request(history: &[Turn], rules: &str) -> Value {
    let mut messages = vec![];
    messages.push(json!({"role": "system", "content": rules})); // <- site
    for turn in history {
        messages.push(json!({"role": turn.role, "content": turn.content})); // <- site
    }
    json!({"model": "m", "messages": messages})
}
