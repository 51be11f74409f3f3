package llm
import "github.com/anthropics/anthropic-sdk-go"
func ask(c anthropic.Client, text string) {
	c.Messages.New(ctx, anthropic.MessageNewParams{ // <- site
		Model: "claude",
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
	})
}
