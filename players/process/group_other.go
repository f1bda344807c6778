//go:build !unix

package process

import "os/exec"

// ownGroup does nothing. Without process groups, the processes that a program starts outlive it.
func ownGroup(*exec.Cmd) {}

// terminate kills the process: there is no way to ask it to end.
func terminate(c *exec.Cmd) { kill(c) }

// kill ends the process.
func kill(c *exec.Cmd) { _ = c.Process.Kill() } // it may have ended
