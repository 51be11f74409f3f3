package agent
import "google.golang.org/genai"
func ask(model *genai.GenerativeModel, page, question string) (*genai.GenerateContentResponse, error) {
	prompt := "<page>\n" + page + "\n</page>\n\n" + question // <- site fence
	return model.GenerateContent(ctx, genai.Text(prompt))
}
