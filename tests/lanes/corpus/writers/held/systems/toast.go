package app
func notify(ui *UI, text string) {
	ui.Messages = append(ui.Messages, Toast{Level: "info", Text: text})
	ui.Status = "saved " + text
}
