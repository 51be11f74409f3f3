use async_openai::types::{ChatCompletionRequestSystemMessageArgs, ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs};
async fn go(text: &str) -> Result<()> {
    let request = CreateChatCompletionRequestArgs::default() // <- site
        .model("gpt-4o")
        .messages([
            ChatCompletionRequestSystemMessageArgs::default().content("Be brief.").build()?.into(),
            ChatCompletionRequestUserMessageArgs::default().content(text).build()?.into(),
        ])
        .build()?;
    Ok(())
}
