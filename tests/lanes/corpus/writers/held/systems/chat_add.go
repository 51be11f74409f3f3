package chat
type ChatMemory struct{ msgs []Message }
func (m *ChatMemory) AddSystemMessage(content string) {
	m.msgs = append(m.msgs, NewSystemMessage(content)) // <- site
}
