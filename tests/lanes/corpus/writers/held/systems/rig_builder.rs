use rig::providers::openai;
fn agent(client: openai::Client, rules: &str) -> Agent {
    client.agent("gpt-4o").preamble(rules).build() // <- site
}
