//go:build !unix

package check

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: these systems have no process groups.
func ownGroup(*exec.Cmd) {}

// terminateGroup ends the process: there is no signal that asks it to.
func terminateGroup(pid int) { killGroup(pid) }

// killGroup ends the process.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended
	}
}
