package llm
func body(text string) map[string]any {
	return map[string]any{"model": "m", "messages": []map[string]string{{"role": "user", "content": text}}} // <- site
}
