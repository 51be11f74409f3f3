fn build_system_prompt(memory: &str, rules: Option<&str>) -> String {
    let mut prompt = String::from("You are Ada.");
    prompt.push_str("\n\n## Memory\n"); // <- site
    prompt.push_str(memory); // <- site
    if let Some(rules) = rules {
        prompt += &format!("<rules>{}</rules>", rules); // <- site fence
    }
    prompt
}
