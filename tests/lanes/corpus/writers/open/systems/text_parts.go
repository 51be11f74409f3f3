package chat
import "github.com/tmc/langchaingo/llms"
type Memory struct{ messages []llms.MessageContent }
func (m *Memory) Add(text string) {
	m.messages = append(m.messages, llms.TextParts(llms.ChatMessageTypeHuman, text)) // <- site
}
