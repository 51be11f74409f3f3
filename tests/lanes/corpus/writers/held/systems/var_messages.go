package main
var messages = []Message{ // <- site
	{
		Role:    "system",
		Content: readPrompt("chat"),
	},
}
func ask(prompt string) {
	messages = append(messages, Message{Role: "user", Content: prompt}) // <- site
}
