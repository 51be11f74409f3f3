package app
func validate(f Form) []string {
	var messages []string
	if f.Name == "" { messages = append(messages, "name is empty") }
	return messages
}
