package trouble

import (
	"slices"
	"time"
)

// Trouble is something that is wrong with an arena, which somebody should look at.
type Trouble struct {
	Kind    Kind      `json:"kind"`
	Subject string    `json:"subject"`         // what it is about, such as "event 3"; no two of a kind have the same
	Event   int64     `json:"event,omitempty"` // the number of the event that it is about
	Bot     string    `json:"bot,omitempty"`   // the name of the bot that it is about
	Since   time.Time `json:"since"`           // when it was raised
	Text    string    `json:"text"`            // what is wrong, as of the last look, and what to do
}

// Kind is what is wrong. Kinds may be added; the present ones stay.
type Kind string

// The kinds.
const (
	EventStalled   Kind = "event_stalled"   // no move is played, for longer than the clocks allow
	EventFailed    Kind = "event_failed"    // an event could not be played on, since its journal or a process failed
	BotFaults      Kind = "bot_faults"      // a bot loses one game after another by a fault
	BotMissing     Kind = "bot_missing"     // an event waits for a bot
	WorkersMissing Kind = "workers_missing" // an event waits for workers
	WorkerAside    Kind = "worker_aside"    // a worker gets no more games, since it plays otherwise than others
	WorkerBusy     Kind = "worker_busy"     // a worker has too much to do, and gets fewer games
	DiskSpace      Kind = "disk_space"      // the database's disk is full, or will soon be
	ClockJumped    Kind = "clock_jumped"    // the machine's clock was set, or the machine slept
	Standstill     Kind = "standstill"      // the arena's process does not run for much of the time
	DatabaseLost   Kind = "database_lost"   // the database was moved, deleted, replaced or damaged
	WebhookFailing Kind = "webhook_failing" // an address does not take what it is told
)

// Kinds returns all kinds, in the order of the constants.
func Kinds() []Kind {
	return []Kind{EventStalled, EventFailed, BotFaults, BotMissing, WorkersMissing, WorkerAside, WorkerBusy, DiskSpace, ClockJumped, Standstill, DatabaseLost, WebhookFailing}
}

// Symptom is a sign of trouble in one look.
type Symptom struct {
	Kind    Kind
	Subject string
	Event   int64
	Bot     string
	Bad     bool // raises the trouble; a symptom that is not bad only keeps up what was raised before
	Text    string
}

// subject is what tells troubles apart.
type subject struct {
	kind    Kind
	subject string
}

// raised is a trouble that is not over.
type raised struct {
	Trouble
	quiet int // looks in a row without a symptom
}

// sorted sorts troubles: the oldest first.
func sorted(all []Trouble) []Trouble {
	slices.SortStableFunc(all, func(a, b Trouble) int { return a.Since.Compare(b.Since) })
	return all
}
