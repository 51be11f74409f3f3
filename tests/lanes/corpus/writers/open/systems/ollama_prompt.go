package agent
import "github.com/ollama/ollama/api"
func summarise(doc string) *api.GenerateRequest {
	return &api.GenerateRequest{Model: "llama3", Prompt: "Summarise:\n" + doc} // <- site
}
