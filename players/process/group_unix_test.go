//go:build unix

package process_test

import (
	"errors"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/players/process"
	"versus2048/protocol/stdio"
)

// What a process has started ends with it.
func TestChildrenEnd(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	g := start(t, process.Config{Command: bot("leaves a child"), Limits: limits}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
		t.Fatal(err)
	}
	// The child holds the standard error, and no signal but the last one ends it: that the log is complete before
	// the long time to settle is over says that it has ended.
	if log := string(g.Log()); log == "" || !g.Silent() {
		t.Errorf("the child lives on; the log is %q", log)
	}
	g.Over(stdio.Over{})
}
