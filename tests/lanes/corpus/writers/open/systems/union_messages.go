package chat
import "github.com/openai/openai-go"
func ask(client *openai.Client, rules, text string) (*openai.ChatCompletion, error) {
	return client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{ // <- site
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(rules), openai.UserMessage(text)},
	})
}
