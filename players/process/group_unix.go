//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes a command start in a process group of its own. Signals from the terminal do not reach the group.
// The signals of Terminate and Kill reach all processes of the group.
func OwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Terminate asks all processes of a command's group to end.
func Terminate(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) } // there may be none left

// Kill ends all processes of a command's group.
func Kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) } // there may be none left
