fn validate(form: &Form) -> Result<(), String> {
    let mut messages: Vec<String> = Vec::new();
    if form.name.is_empty() { messages.push("name is empty".into()); }
    Err(messages.join(", "))
}
