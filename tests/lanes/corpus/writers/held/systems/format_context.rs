pub fn format_context_block(docs: &[Doc]) -> String {
    let mut out = String::from("<context>\n");
    for doc in docs {
        out.push_str(&format!("- {}\n", &doc.text[..300])); // <- site budget=300
    }
    out + "</context>" // <- site
}
