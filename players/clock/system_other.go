//go:build !unix

package clock

import "time"

// ProcessorTime returns the processor time that this process has used so far, in all its threads, or 0 if the
// system does not tell it.
func ProcessorTime() time.Duration { return 0 }

// descriptorReadable reports whether a read of the descriptor would return at once. The system does not tell it
// here.
func descriptorReadable(uintptr) bool { return false }
