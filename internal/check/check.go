package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// Level is the importance of a check.
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

// MarshalText implements encoding.TextMarshaler.
func (m Media) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Check is one demand on a bot.
type Check struct {
	ID     string `json:"id"` // such as "moves.attacker"
	Level  Level  `json:"level"`
	Media  Media  `json:"media"`
	Demand string `json:"demand"` // a sentence

	run func(context.Context, *bench) error // its error is a *finding, an errSkip, or several of these joined
	// illegal is the check that an illegal move counts against, if it is not this one.
	illegal string
	// follows is a check that this one depends on: if both fail, this one counts as skipped.
	follows string
	// starts means that the bot has to be started again afterwards. The check is skipped for a bot that the checker
	// does not start.
	starts bool
}

// List returns all checks in their order of running.
func List() []Check {
	return slices.Concat(
		handshakeChecks(), framingChecks(), toleranceChecks(), moveChecks(), answerChecks(),
		gameChecks(), limitChecks(), endingChecks(), connectionChecks(),
	)
}

// Find returns a check by its id. ok is false if there is none.
func Find(id string) (c Check, ok bool) {
	all := List()
	i := slices.IndexFunc(all, func(c Check) bool { return c.ID == id })
	if i < 0 {
		return c, false
	}
	return all[i], true
}

// Bot is a way to reach the bot that is checked: a LineBot or a SocketBot.
type Bot interface {
	fmt.Stringer
	media() Media
	starts() bool                                      // whether the checker starts the bot itself
	open(ctx context.Context, b *bench) (*talk, error) // begins a conversation
	leave(ctx context.Context, t *talk)                // ends it, so that another one can begin
	finish()                                           // ends the bot
}

// Options choose the checks and how they run.
type Options struct {
	Only []string // the ids of the checks to run; nil means all
	// Games are the games that the bot is checked in.
	Games rules.Variants
	// Slack is the greatest delay of an answer, or of a program's end, that the checks accept, for a busy machine.
	Slack time.Duration
	// StartTimeout is the longest time until a program is ready; 0 for stdio.StartTimeout.
	StartTimeout time.Duration
	// Wait is the longest time to wait for a connection of a SocketBot.
	Wait time.Duration
	// Progress is called after each check; it may be nil.
	Progress func(Check)
	// Found is called with the first problem of each check as soon as it is found; it may be nil.
	Found func(id, problem string)

	now   func() time.Duration // the clock; nil for the real one
	brief bool                 // fewer positions and games, for tests of bots that move legally
}

// OnlyError means that a check in Options.Only cannot be run.
type OnlyError struct{ error }

// DefaultSlack is the usual Slack. An honest bot needs less, unless its machine is overloaded.
const DefaultSlack = 100 * time.Millisecond

// Run runs all chosen checks for the bot's medium, whether earlier ones fail or not. It returns an *OnlyError for an
// unknown id and for a check of another medium, an error for Games that do not exist, and ctx's error with a report on
// the checks that were done.
func Run(ctx context.Context, bot Bot, o Options) (Report, error) {
	checks, err := choose(bot.media(), o.Only)
	if err != nil {
		return Report{}, &OnlyError{err}
	}
	o.StartTimeout = cmp.Or(o.StartTimeout, stdio.StartTimeout)
	scope, err := newScope(rules.Variants{}, o.Games)
	if err != nil {
		return Report{}, err
	}
	b := &bench{bot: bot, options: o, scope: scope, now: o.now, failures: map[string][]Failure{}}
	if b.now == nil {
		stalls := clock.NewStalls()
		watching, stop := context.WithCancel(ctx)
		defer stop()
		go stalls.Watch(watching, nil)
		b.now = func() time.Duration { return stalls.Running(time.Now()) }
	}
	defer bot.finish()
	results, err := b.run(ctx, checks)
	return Report{Bot: bot.String(), Name: b.name, Medium: bot.media().String(), Limits: b.scope.why, Results: results}, err
}

// choose returns the checks for a medium. If only is not nil, it returns only the checks with these ids.
func choose(media Media, only []string) (checks []Check, err error) {
	wanted := map[string]bool{}
	for _, id := range only {
		c, ok := Find(id)
		switch {
		case !ok:
			return nil, unknownCheck(id)
		case c.Media&media == 0:
			return nil, fmt.Errorf("check %s is for a bot that is reached over %s, not %s", id, c.Media, media)
		}
		wanted[id] = true
	}
	for _, c := range List() {
		if c.Media&media != 0 && (only == nil || wanted[c.ID]) {
			checks = append(checks, c)
		}
	}
	return checks, nil
}

func unknownCheck(id string) error {
	var known []string
	for _, c := range List() {
		known = append(known, c.ID)
	}
	if near := players.Nearest(id, known); near != "" {
		return fmt.Errorf("there is no check %q; did you mean %s?", id, near)
	}
	return errors.New("there is no check " + id + ": --list lists them")
}
