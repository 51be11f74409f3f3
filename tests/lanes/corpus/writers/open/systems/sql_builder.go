package app
import "strings"
func query(parts []string) string {
	var b strings.Builder
	b.WriteString("SELECT * FROM t WHERE ")
	b.WriteString(strings.Join(parts, " AND "))
	return b.String()
}
