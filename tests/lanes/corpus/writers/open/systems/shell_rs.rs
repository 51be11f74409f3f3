use rustyline::DefaultEditor;
fn run(user: &str) {
    let prompt = format!("{}> ", user);
    let mut rl = DefaultEditor::new().unwrap();
    rl.readline(&prompt).unwrap();
}
