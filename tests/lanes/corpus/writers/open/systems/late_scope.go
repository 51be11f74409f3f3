package agent
func handle(turn Turn, scope string) string {
	prompt := assemblePrompt(turn)
	prompt += "\n\n" + scope // <- site late
	return complete(prompt)
}
