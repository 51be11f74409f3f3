package app
import "github.com/manifoldco/promptui"
func pick(name string) (string, error) {
	prompt := promptui.Prompt{Label: "Name of " + name}
	return prompt.Run()
}
