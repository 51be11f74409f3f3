use reqwest::Client;
async fn ask(client: Client, system: &str, user: &str) -> Value {
    let body = json!({"model": "gpt-4o", "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}]}); // <- site
    client.post("https://api.openai.com/v1/chat/completions").json(&body).send().await
}
