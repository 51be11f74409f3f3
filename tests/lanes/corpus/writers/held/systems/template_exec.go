package agent
func describePrompt(name string, tools []string) string {
	out := "You are " + name + ".\nTools:\n" // <- site
	for _, t := range tools {
		out += "- " + t + "\n" // <- site
	}
	return out
}
