package labcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
)

// An interrupt between two events also prints how to resume the experiment.
func TestInterruptBetweenEvents(t *testing.T) {
	var told strings.Builder
	err := trial{messages: &told}.reportInterrupt(fmt.Errorf("reading games: %w", context.Canceled))
	if !errors.Is(err, cmdline.ErrSilent) || !strings.Contains(told.String(), "interrupted with ") || !strings.Contains(told.String(), "resume: ") {
		t.Errorf("error %v, told %q", err, told.String())
	}
}

// If the database cannot be closed after the games, the experiment fails.
func TestExperimentReportsTheClose(t *testing.T) {
	played := errors.New("played")
	err := trial{db: filepath.Join(t.TempDir(), "t.db"), quiet: true}.withPlayer(t.Context(), nil, func(p *trialPlayer) error {
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
		p.local = nil // the arena has ended
		return played
	})
	if !errors.Is(err, played) || !strings.Contains(err.Error(), "closing the database") {
		t.Errorf("error %v", err)
	}
}

func TestTimeInAll(t *testing.T) {
	for _, tc := range []struct {
		done, total, later int
		left               time.Duration
		want               string
	}{
		{10, 40, 60, 30 * time.Minute, ", 1:30:00 in all"},
		{39, 40, 0, time.Minute, ""}, // nothing comes later
		{0, 40, 60, 0, ""},           // no game has ended yet
		{40, 40, 60, 0, ""},          // the event is over
		{38, 40, 1, time.Minute, ", 1:30 in all"},
	} {
		p := server.Progress{Done: tc.done, Total: tc.total, Left: server.Millis(tc.left)}
		if got := timeInAll(p, tc.later); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc, got, tc.want)
		}
	}
}
