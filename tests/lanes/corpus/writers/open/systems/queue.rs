fn drain(rx: &Receiver<Item>) -> Vec<Item> {
    let mut messages = Vec::new();
    while let Ok(m) = rx.try_recv() { messages.push(m); }
    messages
}
