//go:build !js

package disk

import "syscall"

// nonblock makes opening a named pipe return at once.
const nonblock = syscall.O_NONBLOCK
