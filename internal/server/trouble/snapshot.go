package trouble

import "time"

// Snapshot is the state of an arena at one moment. Zero fields are no trouble.
type Snapshot struct {
	Wall    time.Time     // the machine's clock
	Elapsed time.Duration // since the arena was opened, by a monotonic clock
	Running time.Duration // the time within Elapsed during which the process ran
	Disk    string        // the path of the database
	Free    int64         // bytes that are free on the disk of this path; 0 with an empty Disk
	// Database is why the database cannot be used any more, nil if it can.
	Database error
	Events   []Event
	Workers  []Worker // of the arena's farm
}

// Event is an event that is being played or has failed.
type Event struct {
	ID      int64
	Name    string
	Playing bool   // neither waiting for its bots, nor paused, nor over
	Queued  bool   // it waits in the queue
	Endless bool   // it may have nothing to play, since bots can join
	Farmed  bool   // workers play at least some of its games
	Failure string // why it has failed, or could not begin, "" if nothing has failed
	Games   []Game // in progress, without games that wait for a person's move
	Grace   time.Duration
	Missing []string // the bots that it waits for
	Gone    []Gone   // the bots that it has lost since it was started or resumed
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
