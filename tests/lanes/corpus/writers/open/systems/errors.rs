fn check(a: i32) -> Vec<String> {
    let mut messages = vec![];
    if a < 0 { messages.push(format!("negative: {}", a)); }
    messages
}
