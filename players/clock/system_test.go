//go:build unix

package clock_test

import (
	"testing"

	"versus2048/players/clock"
)

// The processor time grows while the process works, and never falls.
func TestProcessorTime(t *testing.T) {
	first := clock.ProcessorTime()
	for last := first; last == first; {
		now := clock.ProcessorTime()
		if now < last {
			t.Fatalf("the processor time falls from %v to %v", last, now)
		}
		last = now
	}
}
