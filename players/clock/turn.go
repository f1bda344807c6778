package clock

import "time"

// Turn is the clock of one move. It runs from NewTurn on, and stands still while the bot is away and
// while this process stalls. For a bot in another process it runs from when the request has left, if Hold
// and Sent are called, until the answer has arrived.
type Turn struct {
	*Countdown // until an answer is too late
	limit      time.Duration
	patience   time.Duration

	// Guarded by the countdown's lock:
	held      bool          // the request has not left
	heldSince time.Time     // when it was held
	heldFrom  time.Duration // the source's reading then
	arrived   *Reading      // what had happened when the answer arrived, nil before
}

// mostHeld is for how long a request may wait in this process and the clock with it. It is more than a
// process that is overloaded needs, and bounds the time that a bot gains that does not read.
const mostHeld = time.Second

// NewTurn starts the clock of a move that may take limit, or any time if that is Unlimited. An answer
// that is late by no more than patience still arrives: the bot is not told of it. source may be nil.
func NewTurn(source Source, limit, patience time.Duration) *Turn {
	if limit == Unlimited {
		patience = 0
	}
	t := &Turn{Countdown: NewCountdown(source, limit+patience), limit: limit, patience: patience}
	t.Start()
	return t
}

// Told returns the time that the bot may plan with, at least 0.
func (t *Turn) Told() time.Duration { return max(0, t.Left()-t.patience) }

// Hold puts a turn that has just begun back to its start, even if it is over by now: Over returns another
// channel from here on. Sent lets it run.
func (t *Turn) Hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running || t.held {
		return
	}
	t.held, t.heldSince, t.heldFrom = true, t.since, t.from
	t.halt(time.Time{})
	if t.ended {
		t.ended, t.over = false, make(chan struct{})
	}
}

// Sent lets a turn that is held run: the request leaves. It does nothing if the turn is not held. Of the
// time that the request has waited, stalls apart, what exceeds a second counts.
func (t *Turn) Sent() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held {
		return
	}
	t.held = false
	now := time.Now()
	all := now.Sub(t.heldSince)
	waited := all
	if t.source != nil {
		waited = min(all, t.source.Running(now)-t.heldFrom)
	}
	t.sum.Used, t.sum.Stalled = max(0, waited-mostHeld), all-waited
	t.run(now)
}

// Arrived ends the turn with an answer that was read at a time. It may have arrived before, by the lag of
// this process. If the time was up by then, nobody has found that there was no answer ([Reader.Drained]):
// it has taken no longer than the limit.
func (t *Turn) Arrived(read time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arrived != nil {
		return
	}
	if read.Before(t.since) {
		read = t.since
	}
	r := t.at(read)
	over := t.ended || r.Used > t.span
	r.Used = max(0, r.Used-t.lag())
	if over {
		r.Used = min(r.Used, max(0, t.limit))
	}
	t.arrived = &r
	t.halt(read)
}

// Read returns what has happened so far, or had when the answer arrived.
func (t *Turn) Read() Reading {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arrived != nil {
		return *t.arrived
	}
	return t.at(time.Now())
}

// End ends the turn and returns what happened in it. If no answer has arrived by a connection, a player of this
// process gave it. As this process is late to notice that the time is up, what exceeds the limit counts without
// the lag.
func (t *Turn) End() Reading {
	r := t.Read()
	t.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arrived == nil && r.Used > t.limit {
		r.Used = max(t.limit, r.Used-t.lag())
	}
	return r
}

// lag returns how late this process is at present.
func (t *Turn) lag() time.Duration {
	if t.source == nil {
		return 0
	}
	return t.source.Lag()
}
