use reqwest::Client;
pub async fn ask(client: &Client, question: &str) -> Result<Value> {
    let body = json!({"model": "gpt-4o", "messages": [{"role": "user", "content": question}]}); // <- site
    client.post("https://api.openai.com/v1/chat/completions").json(&body).send().await
}
