package protocol_test

import (
	"context"
	"errors"
	"testing"

	"versus2048/protocol"
	"versus2048/rules"
)

// chosen is what came of a Choose.
type chosen struct {
	move rules.Move
	err  error
}

// choose lets the seat choose in the background.
func choose(ctx context.Context, seat *protocol.Seat, p rules.Position) <-chan chosen {
	done := make(chan chosen, 1)
	go func() {
		m, err := seat.Choose(ctx, p)
		done <- chosen{m, err}
	}()
	return done
}

// wantMove fails unless the move was chosen.
func wantMove(t *testing.T, done <-chan chosen, want rules.Move) {
	t.Helper()
	if got := <-done; got.err != nil || got.move != want {
		t.Fatalf("chosen: %v, %v; want %v", got.move, got.err, want)
	}
}

// wantError fails unless choosing failed like that.
func wantError(t *testing.T, done <-chan chosen, want error) {
	t.Helper()
	if got := <-done; !errors.Is(got.err, want) {
		t.Fatalf("chosen: %v, %v; want the error %v", got.move, got.err, want)
	}
}
