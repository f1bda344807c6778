//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing. Without process groups, the processes that a program starts outlive it.
func OwnGroup(*exec.Cmd) {}

// Terminate kills the process: there is no way to ask it to end.
func Terminate(c *exec.Cmd) { Kill(c) }

// Kill ends the process.
func Kill(c *exec.Cmd) { _ = c.Process.Kill() } // it may have ended
