package app
import ("bufio"; "fmt")
func confirm(r *bufio.Reader, name string) {
	prompt := "Delete " + name + "? "
	fmt.Print(prompt)
	r.ReadString('\n')
}
