package app
import "log"
func report(messages []string, system string) {
	log.Printf("system %s has %d messages", system, len(messages))
}
