package agent
import "github.com/anthropics/anthropic-sdk-go"
func call(client *anthropic.Client, rules string, messages []anthropic.MessageParam) (*anthropic.Message, error) {
	return client.Messages.New(ctx, anthropic.MessageNewParams{ // <- site
		Model:    anthropic.ModelClaude,
		System:   []anthropic.TextBlockParam{{Text: rules}},
		Messages: messages,
	})
}
