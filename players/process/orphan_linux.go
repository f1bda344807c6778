package process

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the system kill the process, though not what it has started, when the thread that starts it
// ends, as it does when we are killed. It comes after ownGroup.
func dieWithUs(c *exec.Cmd) { c.SysProcAttr.Pdeathsig = syscall.SIGKILL }
