package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// share limits processes to a share of all processors with a control group. Where the
// system does not let us make one, the processes run at the lowest priority instead.
type share struct {
	folder string // of the control group; "" without one
}

const sharePeriod = 100_000 // microseconds, over which a control group's use is counted

// newShare returns a limit of the given share, 0 to 1.
func newShare(part float64) *share {
	quota := strconv.Itoa(int(part * sharePeriod * float64(runtime.NumCPU())))
	name := fmt.Sprintf("siege-%d", os.Getpid())
	for folder, files := range map[string]map[string]string{
		filepath.Join("/sys/fs/cgroup/cpu", name): {"cpu.cfs_period_us": strconv.Itoa(sharePeriod), "cpu.cfs_quota_us": quota},
		filepath.Join("/sys/fs/cgroup", name):     {"cpu.max": quota + " " + strconv.Itoa(sharePeriod)},
	} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(folder), "cgroup.procs")); err != nil || os.Mkdir(folder, 0o755) != nil {
			continue
		}
		s := &share{folder: folder}
		if writeAll(folder, files) == nil {
			return s
		}
		s.close()
	}
	return &share{}
}

func writeAll(folder string, files map[string]string) error {
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// add puts a process that has just started under the limit.
func (s *share) add(pid int) error {
	if s.folder == "" {
		return lowestPriority(pid)
	}
	return os.WriteFile(filepath.Join(s.folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644)
}

// String says which limit it is, for the report.
func (s *share) String() string {
	if s.folder == "" {
		return "nice 19"
	}
	return "cgroup " + s.folder
}

// close removes the control group, whose processes must have ended.
func (s *share) close() {
	if s.folder != "" {
		_ = os.Remove(s.folder) // a later siege has another name
	}
}
