package check

import (
	"context"
	"slices"
)

// Level is how much a check matters.
type Level string

// The levels. Only a failed check of the level Must makes a bot fail.
const (
	Must   Level = "must"   // a bot that fails it loses games, or the arena turns it away
	Should Level = "should" // a bot that fails it plays, but makes trouble for others or for its author
	Info   Level = "info"   // good to know
)

// Media are ways to talk with a bot.
type Media uint8

// The media. A bot has one of them; a check may be for both.
const (
	Lines   Media = 1 << iota // the line protocol of docs/STDIO.md, over stdin and stdout
	Sockets                   // the WebSocket protocol of docs/PROTOCOL.md
	Both    = Lines | Sockets
)

func (m Media) String() string {
	switch m {
	case Lines:
		return "stdio"
	case Sockets:
		return "websocket"
	}
	return "both"
}

// Check is one demand on a bot.
type Check struct {
	ID     string // such as "moves.attacker"
	Level  Level
	Demand string // a sentence
	Media  Media

	run func(context.Context, *bench) error // its error is a *finding, or several of them joined
	// illegal is the check that an illegal move counts against, if it is not this one.
	illegal string
	// follows is a check without which this one says nothing: if that fails, this one counts as skipped.
	follows string
	// starts reports that the bot has to be started again afterwards: a bot that only connects by itself is
	// not checked.
	starts bool
}

// List returns all checks in the order in which they run.
func List() []Check {
	return slices.Concat(
		handshakeChecks(), framingChecks(), toleranceChecks(), moveChecks(), answerChecks(),
		gameChecks(), clockChecks(), endingChecks(), connectionChecks(),
	)
}

// find returns a check by its id. ok is false if there is none.
func find(id string) (c Check, ok bool) {
	i := slices.IndexFunc(List(), func(c Check) bool { return c.ID == id })
	if i < 0 {
		return c, false
	}
	return List()[i], true
}
