package clock

import "time"

// Turn is the clock of one move. It starts with NewTurn, and stands still while the bot is away and while this
// process stalls. For a bot in another process, Hold and Sent make it start when the request has left, and
// Arrived ends it when the answer has arrived.
type Turn struct {
	*Countdown // runs until an answer is too late
	limit      time.Duration
	patience   time.Duration

	// Guarded by the countdown's lock:
	held      bool          // the request has not left
	heldSince time.Time     // the time of Hold
	heldFrom  time.Duration // the source's reading at that time
	arrived   *Reading      // the reading when the answer arrived, nil before
}

// mostHeld is how long a request may wait in this process without a charge to the bot. It is more than an
// overloaded process needs, and it limits the time that a bot gains by not reading.
const mostHeld = time.Second

// NewTurn starts the clock of a move with the time limit, which may be Unlimited. An answer that is late by at
// most patience still arrives in time; the bot does not know this extra time. source may be nil.
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

// Hold puts a turn that has just begun back to its start, even if it is already over. Over then returns another
// channel. Sent lets the turn run again.
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

// Sent lets a held turn run when its request leaves. It does nothing if the turn is not held. The bot is
// charged for the waiting time of the request, without stalls, as far as it is longer than mostHeld.
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

// Arrived ends the turn with an answer that was read at a time. The answer may have arrived earlier, by the lag
// of this process. If the time was up by then, the reader was not drained yet ([Reader.Drained]) and the answer
// came in time, so the bot is charged for at most the limit.
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

// Read returns the reading up to now, or up to the arrival of the answer.
func (t *Turn) Read() Reading {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arrived != nil {
		return *t.arrived
	}
	return t.at(time.Now())
}

// End ends the turn and returns its reading. If Arrived was not called, the player is in this process. This
// process is late to notice that the time is up, so the part of the time beyond the limit is reduced by the
// lag.
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

// lag returns the present delay of this process.
func (t *Turn) lag() time.Duration {
	if t.source == nil {
		return 0
	}
	return t.source.Lag()
}
