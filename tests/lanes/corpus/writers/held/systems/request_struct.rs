use crate::llm::{CompletionRequest, Llm};
async fn title(llm: &Llm, text: &str) -> String {
    let request = CompletionRequest { model: "m".into(), system: "Give a title.".into(), prompt: format!("Title for:\n{}", text) }; // <- site
    llm.complete(request).await
}
