package trouble

import (
	"fmt"
	"slices"
	"time"
)

// Trouble is a problem of an arena, of its machine or of its bots that somebody should look at.
type Trouble struct {
	Kind    Kind      `json:"kind"`
	Subject string    `json:"subject"`         // such as "event 3"; unique within its kind
	Event   int64     `json:"event,omitempty"` // the number of the event, 0 without one
	Bot     string    `json:"bot,omitempty"`   // the name of the bot, "" without one
	Since   time.Time `json:"since"`           // when it was raised
	Text    string    `json:"text"`            // a description, as of the last snapshot, and advice
}

// Kind is a kind of trouble. Kinds may be added; the present ones stay.
type Kind string

// The kinds.
const (
	EventStalled   Kind = "event_stalled"   // an event plays no move, or begins no game, for too long
	EventFailed    Kind = "event_failed"    // an event could not begin or go on, since a process or the database failed
	BotFaults      Kind = "bot_faults"      // a bot has lost too many of its last games by faults
	BotMissing     Kind = "bot_missing"     // an event waits for a bot
	WorkersMissing Kind = "workers_missing" // an event waits for workers
	WorkerAside    Kind = "worker_aside"    // a worker gets no more games, because some of its results were wrong
	WorkerBusy     Kind = "worker_busy"     // a worker's machine is overloaded, and the worker plays fewer games at once
	DiskSpace      Kind = "disk_space"      // the database's disk has too little free space, or will soon be full
	ClockJumped    Kind = "clock_jumped"    // the machine's clock was set, or the machine slept
	Standstill     Kind = "standstill"      // the arena's process does not run for much of the time
	DatabaseLost   Kind = "database_lost"   // the database was moved, deleted, replaced or damaged
	WebhookFailing Kind = "webhook_failing" // an address does not accept notices
)

// Kinds returns all kinds, in the order of the constants.
func Kinds() []Kind {
	return []Kind{EventStalled, EventFailed, BotFaults, BotMissing, WorkersMissing, WorkerAside, WorkerBusy, DiskSpace, ClockJumped, Standstill, DatabaseLost, WebhookFailing}
}

// Symptom is a sign of trouble in one snapshot.
type Symptom struct {
	Kind    Kind
	Subject string
	Event   int64
	Bot     string
	Bad     bool // a bad symptom raises a trouble; any other only keeps up a trouble that was raised before
	Text    string
}

// symptom returns a bad symptom of an event.
func (e *Event) symptom(kind Kind, format string, values ...any) Symptom {
	return Symptom{Kind: kind, Subject: fmt.Sprintf("event %d", e.ID), Event: e.ID, Bad: true, Text: fmt.Sprintf(format, values...)}
}

// symptomOf returns a symptom of a bot in an event.
func (e *Event) symptomOf(bot string, kind Kind, bad bool, format string, values ...any) Symptom {
	return Symptom{
		Kind: kind, Subject: fmt.Sprintf("bot %q in event %d", bot, e.ID), Event: e.ID, Bot: bot, Bad: bad,
		Text: fmt.Sprintf(format, values...),
	}
}

// subject identifies a trouble.
type subject struct {
	kind    Kind
	subject string
}

// raised is a trouble that is not over.
type raised struct {
	Trouble
	quiet int // number of snapshots in a row without a symptom
}

// sorted sorts troubles: the oldest first.
func sorted(all []Trouble) []Trouble {
	slices.SortStableFunc(all, func(a, b Trouble) int { return a.Since.Compare(b.Since) })
	return all
}

// Snapshot is the state of an arena at one moment. The zero Snapshot shows no trouble.
type Snapshot struct {
	Wall    time.Time     // the machine's clock
	Elapsed time.Duration // since the arena was opened, by a monotonic clock
	Running time.Duration // the time within Elapsed during which the process ran
	Disk    string        // the path of the database
	Free    int64         // bytes that are free on the disk of this path; ignored if Disk is empty
	// Database is the reason why the database cannot be used any more, nil if it can.
	Database error
	Events   []Event
	Workers  []Worker // of the arena's farm
}

// Event is an event that waits in the queue, is being played or has failed.
type Event struct {
	ID      int64
	Name    string
	Playing bool          // neither waiting for its bots, nor paused, nor over
	Queued  bool          // waits in the queue
	Endless bool          // has no fixed number of games, and may have none to play now
	Farmed  bool          // workers play at least some of its games
	Busy    bool          // a bot of its next game plays in other events, or with a visitor
	Failure string        // the reason why it has failed, or could not begin, "" if nothing has failed
	Games   []Game        // in progress, without games that wait for a person's move
	Grace   time.Duration // the longest time that a bot may be disconnected
	Missing []string      // the bots that the event waits for
	Gone    []Gone        // the bots that the event has lost since it was started or resumed
}

// Game is a game in progress.
type Game struct {
	ID      int64
	Plies   int
	Longest time.Duration // the limit of its clocks for the next move; 0 for no limit
}

// Gone is a bot that an event has lost.
type Gone struct {
	Bot string
	Why Why
}

// Why is a reason for losing a bot.
type Why string

// The reasons.
const (
	Away     Why = "away"     // disconnected for longer than its grace period
	Excluded Why = "excluded" // set aside by the event's strikes
	Left     Why = "left"     // an operator has dismissed it, or it has left an open ladder
)
