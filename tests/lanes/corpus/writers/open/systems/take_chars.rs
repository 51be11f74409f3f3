const MAX_PAGE: usize = 8_000;
fn build_prompt(page: &str, question: &str) -> String {
    let page: String = page.chars().take(MAX_PAGE).collect();
    format!("<page>\n{page}\n</page>\n\n{question}") // <- site budget=8000 fence
}
