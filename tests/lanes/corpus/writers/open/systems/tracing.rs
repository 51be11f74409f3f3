fn report(messages: &[Message], system: &str) {
    tracing::info!("messages {} system {}", messages.len(), system);
    println!("prompt: {}", system);
}
