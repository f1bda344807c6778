package trouble

import "time"

// Look is what an arena looks like at one moment. Zero fields are no trouble.
type Look struct {
	Wall    time.Time     // what the machine's clock shows
	Elapsed time.Duration // since the first look, by a clock that nobody sets
	Running time.Duration // the part of Elapsed in which the process ran
	Disk    string        // the path of the database, whose disk is meant
	Free    int64         // bytes that are free on it; 0 with an empty Disk
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
	Games   []Game // in progress, without those in which a person thinks
	Grace   time.Duration
	Missing []string // the bots that it waits for
	Gone    []Gone   // the bots that it has lost since it was started or resumed
}

// Game is a game in progress.
type Game struct {
	ID      int64
	Plies   int
	Longest time.Duration // that its clocks allow for the next move; 0 for no limit
}

// Gone is a bot that an event has lost.
type Gone struct {
	Bot string
	Why Why
}

// Why is why an event has lost a bot.
type Why string

// The reasons.
const (
	Away     Why = "away"     // disconnected for longer than its grace period
	Excluded Why = "excluded" // set aside by the event's strikes
	Left     Why = "left"     // an operator has dismissed it, or it has left an open ladder
)
