package process

import (
	"os/exec"
	"runtime"
)

// Run starts a command, tells started how that went, and waits for its end by calling wait, all on one thread: on Linux
// the process dies with the thread that has started it, as it does when we are killed. What it has started does not.
func Run(c *exec.Cmd, started chan<- error, wait func()) {
	dieWithUs(c)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.Start()
	started <- err
	if err == nil {
		wait()
	}
}
