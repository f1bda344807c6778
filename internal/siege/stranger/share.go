package stranger

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Limit limits processes to a part of all processors, by a control group. If the system does not allow one, the
// processes run at the lowest priority instead.
type Limit struct {
	folder string // of the control group; "" without one
}

const period = 100_000 // microseconds: a control group's use is counted over this time

// NewLimit returns a limit to a part of the processors, 0 to 1.
func NewLimit(part float64) *Limit {
	quota := strconv.Itoa(int(part * period * float64(runtime.NumCPU())))
	name := fmt.Sprintf("siege-%d", os.Getpid())
	for folder, files := range map[string]map[string]string{
		filepath.Join("/sys/fs/cgroup/cpu", name): {"cpu.cfs_period_us": strconv.Itoa(period), "cpu.cfs_quota_us": quota},
		filepath.Join("/sys/fs/cgroup", name):     {"cpu.max": quota + " " + strconv.Itoa(period)},
	} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(folder), "cgroup.procs")); err != nil || os.Mkdir(folder, 0o755) != nil {
			continue
		}
		l := &Limit{folder: folder}
		if writeAll(folder, files) == nil {
			return l
		}
		l.Close()
	}
	return &Limit{}
}

func writeAll(folder string, files map[string]string) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Add puts a new process under the limit.
func (l *Limit) Add(pid int) error {
	if l.folder == "" {
		return lowestPriority(pid)
	}
	return os.WriteFile(filepath.Join(l.folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644)
}

// String describes the limit for the report.
func (l *Limit) String() string {
	if l.folder == "" {
		return "nice 19"
	}
	return "cgroup " + l.folder
}

// Close removes the control group. Its processes must have ended before.
func (l *Limit) Close() {
	if l.folder != "" {
		_ = os.Remove(l.folder) // a later siege has another name
	}
}
