package app
func mail(items []string) string {
	content := "Hello\n"
	for _, item := range items { content += "- " + item }
	return content
}
