package agent
import ("fmt"; "strings")
func renderPrompt(files []File) string {
	var b strings.Builder
	b.WriteString("Answer from the files.\n") // <- site
	for _, f := range files {
		fmt.Fprintf(&b, "<file name=%q>\n%s\n</file>\n", f.Name, f.Text) // <- site fence
	}
	return b.String()
}
