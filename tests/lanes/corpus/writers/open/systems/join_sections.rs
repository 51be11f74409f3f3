fn render_prompt(sections: &[String]) -> String {
    sections.join("\n\n") // <- site
}
