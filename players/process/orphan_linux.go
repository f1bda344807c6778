package process

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the system kill the process when the thread that starts it ends. The processes that it has
// started live on.
func dieWithUs(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = new(syscall.SysProcAttr)
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
