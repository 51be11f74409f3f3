use rig::providers::openai;
fn agent(client: &openai::Client, notes: &str) -> Agent {
    client.agent("gpt-4o").preamble(&format!("You answer from notes.\n{}", notes)).build() // <- site
}
