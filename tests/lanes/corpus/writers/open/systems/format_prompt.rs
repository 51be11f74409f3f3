async fn classify(llm: &Llm, text: &str) -> String {
    let prompt = format!("Classify:\n{}\nLabel:", text); // <- site
    llm.complete(&prompt).await
}
