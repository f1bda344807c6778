package process

import (
	"os/exec"
	"runtime"
)

// Run starts a command, sends the result of the start to started, and calls wait to wait for the command's end,
// all on one thread. On Linux the command's process dies with the thread that has started it, so it also dies when
// this process is killed. The processes that the command has started do not.
func Run(c *exec.Cmd, started chan<- error, wait func()) {
	dieWithParent(c)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.Start()
	started <- err
	if err == nil {
		wait()
	}
}
