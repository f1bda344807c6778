package clock

import "time"

// Turn is the clock of one move. It runs from NewTurn on, and stands still while the bot is away and
// while this process stalls.
type Turn struct {
	*Countdown // until an answer is too late
	patience   time.Duration
}

// NewTurn starts the clock of a move that may take limit, or any time if that is Unlimited. An answer
// that is late by no more than patience still arrives: the bot is not told of it. source may be nil.
func NewTurn(source Source, limit, patience time.Duration) *Turn {
	if limit == Unlimited {
		patience = 0
	}
	t := &Turn{NewCountdown(source, limit+patience), patience}
	t.Start()
	return t
}

// Told returns the time that the bot may plan with, at least 0.
func (t *Turn) Told() time.Duration { return max(0, t.Left()-t.patience) }

// End ends the turn and returns what happened in it.
func (t *Turn) End() Reading {
	r := t.Read()
	t.Stop()
	return r
}
