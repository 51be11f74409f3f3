package llm
func buildPrompt(memory, question string) string {
	prompt := "You are Ada.\n" + memory // <- site
	prompt += "\n\n" + question // <- site
	return prompt
}
