package llm
import openai "github.com/sashabaranov/go-openai"
func build(system, text string) []openai.ChatCompletionMessage {
	messages := []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleSystem, Content: system}} // <- site
	messages = append(messages, openai.ChatCompletionMessage{Role: "user", Content: text}) // <- site
	return messages
}
