package app
func drain(c *Consumer) []Message {
	messages := []Message{}
	for m := range c.Messages() {
		messages = append(messages, m)
	}
	return messages
}
