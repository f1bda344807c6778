package process

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the system kill the process, though not what it has started, when the thread that starts it
// ends.
func dieWithUs(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = new(syscall.SysProcAttr)
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
