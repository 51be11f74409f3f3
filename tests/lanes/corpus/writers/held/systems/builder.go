package llm
import "strings"
func systemPrompt(memory string) string {
	var sb strings.Builder
	sb.WriteString("## Memory\n") // <- site
	sb.WriteString(memory) // <- site
	return sb.String()
}
