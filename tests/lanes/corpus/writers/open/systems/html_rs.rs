fn page(rows: &[String]) -> String {
    let mut parts = vec!["<ul>".to_string()];
    for row in rows { parts.push(format!("<li>{}</li>", row)); }
    parts.join("")
}
