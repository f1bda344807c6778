package cmdline

import (
	"strings"
	"testing"
)

func TestRedrawnLines(t *testing.T) {
	const up, rest, below = "\x1b[2A", "\x1b[K", "\x1b[J"
	for over, want := range map[int]string{
		0: "\ra" + rest + "\nb" + below,
		1: "\ra" + rest + "\nb" + below,
		3: up + "\ra" + rest + "\nb" + below,
	} {
		if got := redrawn(over, []string{"a", "b"}); got != want {
			t.Errorf("over %d lines: %q, want %q", over, got, want)
		}
	}
	if got := strings.Join(fitting([]string{"äöü", "1234", "3"}, 2, 2), "|"); got != "ä…|1…" {
		t.Errorf("lines that fit: %q", got)
	}
}

// A computation that ends at once shows nothing. A longer one shows a line for each
// milestone.
func TestComputationShowsProgressAfterAWhile(t *testing.T) {
	var out strings.Builder
	quick := NewComputation(&out, false)
	quick.Draw(1, "at once")
	slow := Computation{quick.display, quick.began.Add(-patience)}
	for range 2 {
		slow.Draw(1, "one")
	}
	slow.Draw(2, "two")
	if got := out.String(); got != "one\ntwo\n" {
		t.Errorf("shown: %q", got)
	}
}
