//go:build unix

package check

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the process the first of a process group.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminateGroup asks the processes of a group to end.
func terminateGroup(group int) { _ = syscall.Kill(-group, syscall.SIGTERM) } // it may have ended

// killGroup ends them.
func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) }
