pub fn build_user_prompt(req: &Request) -> String {
    let mut parts = Vec::new();
    if !req.memory.is_empty() {
        parts.push("## Context\n".into()); // <- site
        parts.push(format!("{}\n", req.memory.trim())); // <- site
    }
    parts.join("\n") // <- site
}
