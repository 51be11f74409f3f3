package app
func consume(ch chan Message) []Message {
	var messages []Message
	for m := range ch { messages = append(messages, m) }
	return messages
}
