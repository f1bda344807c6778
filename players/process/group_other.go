//go:build !unix

package process

import "os/exec"

// ownGroup has nothing to do where there are no process groups: what a program starts outlives it.
func ownGroup(*exec.Cmd) {}

// terminate ends the process: it cannot be asked to.
func terminate(c *exec.Cmd) { kill(c) }

// kill ends the process.
func kill(c *exec.Cmd) { _ = c.Process.Kill() } // it may have ended
