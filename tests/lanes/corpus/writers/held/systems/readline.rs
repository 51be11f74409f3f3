use rustyline::Editor;
fn read(dir: &str) -> String {
    let prompt = format!("{} $ ", dir);
    Editor::new().readline(&prompt)
}
