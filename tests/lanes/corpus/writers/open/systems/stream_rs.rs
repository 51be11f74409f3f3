async fn read(mut stream: Stream) -> String {
    let mut content = String::new();
    while let Some(chunk) = stream.next().await {
        content.push_str(&chunk.choices[0].delta.content);
    }
    content
}
