package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/clock"
	"versus2048/players"
)

// Bot is a way to reach the bot that is checked: a LineBot or a SocketBot.
type Bot interface {
	fmt.Stringer
	media() Media
	starts() bool                                      // whether the checker starts the bot itself
	open(ctx context.Context, b *bench) (*talk, error) // begins a conversation
	leave(ctx context.Context, t *talk)                // ends it, so that another one can begin
	finish()                                           // ends the bot
}

// Options are how the checks run.
type Options struct {
	Only []string // the ids of the checks to run; nil means all
	// Slack is how late an answer may be in the checks of clocks, for a machine that has more to do.
	Slack time.Duration
	// Wait is how long to wait for a bot that connects by itself.
	Wait time.Duration
	// Progress is called after each check; it may be nil.
	Progress func(Check)

	now   func() time.Duration // the clock; nil for the real one
	games int                  // of the check of memory; 0 for manyGames
}

// DefaultSlack is a Slack that an honest bot does not need on a machine that is not overloaded.
const DefaultSlack = 100 * time.Millisecond

// Run runs the checks that are for the bot's medium, all of them, whatever fails. It returns an error for an
// unknown id, and ctx's error.
func Run(ctx context.Context, bot Bot, o Options) (Report, error) {
	checks, err := choose(bot.media(), o.Only)
	if err != nil {
		return Report{}, err
	}
	b := &bench{bot: bot, options: o, now: o.now, failures: map[string][]Failure{}}
	if b.now == nil {
		stalls := clock.NewStalls()
		watching, stop := context.WithCancel(ctx)
		defer stop()
		go stalls.Watch(watching, nil)
		b.now = stalls.Running
	}
	defer bot.finish()
	results, err := b.run(ctx, checks)
	return Report{Bot: bot.String(), Name: b.name, Medium: bot.media().String(), Results: results}, err
}

// choose returns the checks for a medium, only those with the ids if there are any.
func choose(media Media, only []string) (checks []Check, err error) {
	wanted := map[string]bool{}
	for _, id := range only {
		c, ok := find(id)
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
