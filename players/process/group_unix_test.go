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

// The processes that a process has started end with it.
func TestChildrenEnd(t *testing.T) {
	limits := small()
	limits.Settle = time.Minute
	g := start(t, process.Config{Command: bot("leaves a child"), Limits: limits}).Play(t.Context(), empty)
	if _, err := choose(t.Context(), t, g); !errors.Is(err, players.ErrGone) {
		t.Fatal(err)
	}
	// The child holds the standard error, and only the last signal ends it. If the log is complete before the
	// long time to settle is over, the child has ended.
	if log := string(g.Log()); log == "" || !g.Silent() {
		t.Errorf("the child lives on; the log is %q", log)
	}
	g.Over(stdio.Over{})
}
