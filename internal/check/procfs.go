package check

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// groupMemory returns the resident memory of the processes of a group, in bytes. ok is false if it finds no
// process of the group, as on a system without proc(5).
func groupMemory(group int) (bytes int64, ok bool) {
	for _, stat := range groupStats(group) {
		bytes += stat.pages * int64(os.Getpagesize())
		ok = true
	}
	return bytes, ok
}

// groupSize returns the number of processes of a group that have not ended. ok is false on systems other than
// Linux.
func groupSize(group int) (n int, ok bool) {
	for _, stat := range groupStats(group) {
		if stat.state != "Z" {
			n++
		}
	}
	return n, runtime.GOOS == "linux"
}

// groupStat is the state and the memory of a process, from its file stat in proc(5).
type groupStat struct {
	state string
	pages int64 // resident
}

// groupStats returns the processes of a group.
func groupStats(group int) (stats []groupStat) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name, in parentheses, may have spaces; after it come the state, the parent and the group.
		_, after, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
		fields := strings.Fields(after)
		if len(fields) < 22 || fields[2] != strconv.Itoa(group) {
			continue
		}
		pages, err := strconv.ParseInt(fields[21], 10, 64)
		if err == nil {
			stats = append(stats, groupStat{fields[0], pages})
		}
	}
	return stats
}
