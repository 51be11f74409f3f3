package app
type SystemInfo struct{ System, Version string }
func info(v string) SystemInfo {
	system := "linux/" + v
	return SystemInfo{System: system, Version: v}
}
