package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"versus2048/internal/check"
	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// inGames is the check for the faults that belong to no other check.
const inGames = "moves.in-games"

// contest is an event for some checks.
type contest struct {
	event  tournament.Event
	checks []string // one for each opening, or one for the whole event
}

// checkConnected checks a connected bot, given its name. It returns an error if an event cannot be played: for example
// if the bot is not connected, or is playing already. slack is the time by which an answer may be late.
//
// The arena talks to the bot, and this process does not. So only the checks of games are possible. Each position of
// package check is the opening of a game that ends after one turn. Other events play whole games, under several clocks.
// The events are not recorded.
func checkConnected(ctx context.Context, client *server.Client, name string, slack time.Duration) (check.Report, error) {
	games, err := played(ctx, client, name)
	if err != nil {
		return check.Report{}, err
	}
	r := check.Report{Bot: name, Name: name, Medium: check.Sockets.String()}
	if games.String() != "" {
		r.Limits = "the bot plays only " + games.String()
	}
	results := map[string]*check.Result{}
	var order []string
	for _, c := range contests(name) {
		c.event.Settings.Lenience.Margin = tournament.Millis(slack)
		began := time.Now()
		for _, id := range c.checks {
			if results[id] == nil {
				results[id], order = newResult(id, r.Limits), append(order, id)
			}
		}
		if games.Suits(c.event.Rules, c.event.Size, c.event.Rules.Roles()...) != nil {
			continue
		}
		for _, id := range c.checks {
			if result := results[id]; result.State == check.Skipped {
				result.State, result.Why = check.Passed, ""
			}
		}
		if err := c.play(ctx, client, name, results); err != nil {
			return check.Report{}, fmt.Errorf("%s: %w", c.event.Name, err)
		}
		results[c.checks[0]].Took += time.Since(began)
	}
	for _, id := range order {
		r.Results = append(r.Results, *results[id])
	}
	return r, nil
}

// played returns the games that a connected bot can play, as its hello says.
func played(ctx context.Context, client *server.Client, name string) (games rules.Variants, err error) {
	bots, err := client.Bots(ctx)
	for _, b := range bots {
		if b.Name == name {
			games = b.Plays
		}
	}
	return games, err
}

// newResult returns the result of a check that has not been tried.
func newResult(id, why string) *check.Result {
	c, ok := check.Find(id)
	if !ok {
		panic("no check is called " + id)
	}
	return &check.Result{ID: id, Level: c.Level, Demand: c.Demand, State: check.Skipped, Why: why}
}

// opponent is a bot that the arena starts for the other side.
const opponent = "checker=random"

func contests(name string) []contest {
	base := tournament.Event{
		Bots: []string{name, opponent}, Seed: 2048, Concurrency: 4, InProcess: true, Matches: 2,
		Clock: tournament.Clock{PerMove: time.Second}, Settings: tournament.Settings{Unrecorded: true},
	}
	all := []contest{{base, []string{inGames}}}
	all[0].event.Size = rules.Size{Width: 3, Height: 3}
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		for _, size := range rules.Sizes() {
			all = append(all, positions(base, r, size))
		}
	}
	for _, timed := range []struct {
		id    string
		size  rules.Size
		clock tournament.Clock
	}{
		{"clock.1s", rules.Size{Width: 2, Height: 2}, tournament.Clock{PerMove: time.Second}},
		{"clock.100ms", rules.Size{Width: 3, Height: 3}, tournament.Clock{PerMove: 100 * time.Millisecond}},
		{"clock.50ms", rules.Full, tournament.Clock{PerMove: 50 * time.Millisecond}},
		{"clock.increment", rules.Size{Width: 3, Height: 3}, tournament.Clock{Base: 2 * time.Second, Increment: 50 * time.Millisecond}},
	} {
		c := contest{base, []string{timed.id}}
		c.event.Size, c.event.Clock, c.event.Concurrency, c.event.Matches = timed.size, timed.clock, 1, 1
		all = append(all, c)
	}
	for i := range all {
		e := &all[i].event
		e.Name = fmt.Sprintf("check of %s: %s, %s, %s", name, all[i].checks[0], e.Rules, e.Size)
	}
	return all
}

// positions returns an event with all positions of package check under these rules, on boards of this size.
func positions(base tournament.Event, r rules.Ruleset, size rules.Size) contest {
	c := contest{event: base}
	c.event.Rules, c.event.Size = r, size
	var starts []rules.Position
	for _, set := range check.Positions() {
		for _, p := range set.Positions {
			if p.Rules() == r && p.Size() == size {
				starts, c.checks = append(starts, p), append(c.checks, set.Check)
			}
		}
	}
	c.event.Matches = 2 * len(starts) // two matches share an opening
	c.event.Settings.Openings = tournament.NewOpenings("the checks", starts)
	c.event.Settings.Adjudication.MaxTurns = 1
	return c
}

// play plays the event and counts the bot's faults.
func (c contest) play(ctx context.Context, client *server.Client, name string, results map[string]*check.Result) error {
	uninterrupted := context.WithoutCancel(ctx)
	id, err := client.Start(uninterrupted, c.event)
	if err != nil {
		return err
	}
	// Without Stop, the event would go on after an interrupt and keep the bot busy.
	defer context.AfterFunc(ctx, func() { _ = client.Stop(uninterrupted, id) })()
	err = client.FollowNews(uninterrupted, id, func(n server.News) error {
		if n.Type == server.EventFinished && n.Progress != nil && n.Progress.State != server.Finished {
			return fmt.Errorf("it is %s: %s", n.Progress.State, n.Progress.Message)
		}
		if n.Fault == nil || n.Fault.Bot != name {
			return nil
		}
		failed := c.checks[0]
		if len(c.checks) > 1 {
			failed = c.checks[(n.Fault.Match-1)/2%len(c.checks)]
		}
		if len(c.event.Settings.Openings.Starts) == 0 && n.Fault.Fault != record.Time {
			failed = inGames
		}
		r := results[failed]
		r.State = check.Failed
		r.Failures = append(r.Failures, check.Failure{
			Problem: fmt.Sprintf("%s: %s", n.Fault.Fault, n.Fault.Detail), Wire: []check.Line{},
		})
		return nil
	})
	return cmp.Or(ctx.Err(), err)
}
