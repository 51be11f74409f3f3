package llm
import "fmt"
func classify(c *Client, text string) string {
	prompt := fmt.Sprintf("Classify:\n%s", text) // <- site
	return c.Complete(prompt)
}
