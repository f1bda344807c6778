//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command start in a process group of its own. Signals from the terminal do not reach the group.
// The signals of terminate and kill reach all processes of the group.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks all processes of a command's group to end.
func terminate(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) } // there may be none left

// kill ends all processes of a command's group.
func kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // there may be none left
