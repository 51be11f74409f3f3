package app
import "log"
func report(messages []string, system string) {
	log.Printf("messages=%d system=%s", len(messages), system)
}
