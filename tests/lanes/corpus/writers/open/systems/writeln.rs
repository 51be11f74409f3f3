use std::fmt::Write;
pub fn render_system_prompt(tools: &[Tool]) -> String {
    let mut prompt = String::new();
    for tool in tools {
        writeln!(prompt, "- {}: {}", tool.name, tool.description).unwrap(); // <- site
    }
    prompt
}
