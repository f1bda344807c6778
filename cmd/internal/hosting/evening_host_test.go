package hosting

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// Ctrl-C ends a question that nobody answers, and its line.
func TestInterruptEndsQuestion(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out strings.Builder
	l := &questions{asks: true, out: &out, typed: make(chan string)}
	err := l.askUntil(ctx, "Bots expected", "6", func(answer string) error { return errors.New("answered by " + answer) })
	if !errors.Is(err, context.Canceled) || out.String() != "Bots expected [6]: \n" {
		t.Errorf("after %q the error is %v", out.String(), err)
	}
}

// A key of a plan counts however it is written, since TOML's reader takes it so.
func TestKeysOfAPlan(t *testing.T) {
	p := eveningPlan{known: map[string]any{"Name": "Cup", "evening": map[string]any{"BOTS": int64(3)}, "size": "2x2"}}
	for key, want := range map[string]bool{"name": true, "size": true, "evening.bots": true, "evening.hours": false, "seed": false, "size.x": false} {
		if p.has(key) != want {
			t.Errorf("%s: %v, want %v", key, !want, want)
		}
	}
}
