package llm
import "strings"
func renderPrompt(parts []string) string {
	return strings.Join(parts, "\n\n") // <- site
}
