async fn pump(mut rx: Receiver<String>) -> Vec<String> {
    let mut history = Vec::new();
    while let Some(line) = rx.recv().await { history.push(line); }
    history
}
