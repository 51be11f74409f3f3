package agent
import "fmt"
const systemPromptTemplate = `You are a helpful assistant.
%s%s`
func BuildSystemPrompt(memory, history string) string {
	memSection := ""
	if memory != "" {
		memSection = "## Memory\n" + memory + "\n\n" // <- site
	}
	if len(history) > 2000 {
		history = history[:2000]
	}
	return fmt.Sprintf(systemPromptTemplate, memSection, history) // <- site budget=2000
}
