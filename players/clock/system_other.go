//go:build !unix

package clock

import "time"

// ProcessorTime returns the processor time that this process has used so far, in all its threads, or 0
// where the system does not tell.
func ProcessorTime() time.Duration { return 0 }

// holds reports whether a read of the descriptor would return at once, as far as the system tells.
func holds(uintptr) bool { return false }
