fn mail(name: &str, items: &[String]) -> String {
    let mut content = format!("Hello {},\n", name);
    for item in items { content.push_str(&format!("- {}\n", item)); }
    content
}
