package agent
import "os/exec"
func start(systemPrompt, userPrompt string) *exec.Cmd {
	return exec.Command("claude", "-p", userPrompt, "--system-prompt", systemPrompt) // <- site
}
