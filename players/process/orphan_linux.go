package process

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the system kill the command's process when the thread that starts it ends. The processes that
// the command has started live on.
func dieWithParent(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = new(syscall.SysProcAttr)
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
