package clock

import "time"

// Turn is the clock of one move. It starts with NewTurn. It stands still between Stop and Start, for a bot that is
// away, and while this process stalls. For a bot in another process, Hold and Sent make it start when the request has
// left, and Arrived ends it when the answer has arrived.
type Turn struct {
	*Countdown // runs until an answer is too late
	limit      time.Duration
	patience   time.Duration

	// Guarded by the countdown's lock:
	held      bool          // the request has not left
	heldSince time.Time     // the start that Hold has taken back
	heldFrom  time.Duration // the source's reading at that time
	arrived   *Reading      // the reading when the answer arrived, nil before
}

// longestHold is the longest time that a request may wait in this process without a charge to the bot. It is more
// than an overloaded process needs, and it limits the time that a bot can gain by not reading its socket.
const longestHold = time.Second

// NewTurn starts the clock of a move with the time limit, which may be Unlimited. The turn is over only after
// limit and patience; the bot is told of the limit alone. source may be nil.
func NewTurn(source Source, limit, patience time.Duration) *Turn {
	if limit == Unlimited {
		patience = 0
	}
	t := &Turn{Countdown: NewCountdown(source, limit+patience), limit: limit, patience: patience}
	t.Start()
	return t
}

// ForBot returns the rest of the time limit, at least 0. The bot may plan with it.
func (t *Turn) ForBot() time.Duration { return max(0, t.Left()-t.patience) }

// Hold takes back the start of the turn: its clock stands at zero until Sent. A turn that is already over, because its
// limit is very small, goes on, and Over returns another channel. Hold does nothing on a stopped or held turn.
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

// Sent starts a held turn: call it when the request has left. It does nothing if the turn is not held. If the request
// waited longer than longestHold, not counting stalls, the bot is charged for the time beyond longestHold.
func (t *Turn) Sent() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held {
		return
	}
	t.held = false
	now := time.Now()
	elapsed := now.Sub(t.heldSince)
	waited := elapsed
	if t.source != nil {
		waited = min(elapsed, t.source.Running(now)-t.heldFrom)
	}
	t.sum.Used, t.sum.Stalled = max(0, waited-longestHold), elapsed-waited
	t.run(now)
}

// Arrived ends the turn with an answer that was read at the given time. The answer may have arrived earlier, by
// the lag of this process. After the turn is over, call it only for an answer that had arrived before, as
// [Reader.Drained] tells. The bot is then charged for at most the limit.
func (t *Turn) Arrived(read time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.arrived != nil {
		return
	}
	if read.Before(t.since) {
		read = t.since
	}
	r := t.readAt(read)
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
	return t.readAt(time.Now())
}

// End ends the turn and returns its reading. Without Arrived, the player is in this process or has not answered.
// This process may have noticed late that the time was up, so the lag is taken off the time beyond the limit.
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
