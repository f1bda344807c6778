package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/internal/check"
	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// The bounds of a check.
const (
	mostChecks = 2                     // at once
	perMove    = time.Second           // for a move
	longest    = 45 * time.Second      // for all moves
	starts     = 5                     // starting positions: the bot moves first in some games, and second in others
	interval   = 50 * time.Millisecond // between two looks at the event of a check
)

// beginChecks begins the checks of the bots that have waited longest, as many as may run. It reports whether it began
// any. The caller holds the lock.
func (l *Lobby) beginChecks(ctx context.Context) (begun bool) {
	var waiting []*guest
	for _, g := range l.bots {
		if l.event == 0 && g.Place == Here && g.Check.Result == Waiting {
			waiting = append(waiting, g)
		}
	}
	slices.SortFunc(waiting, func(a, b *guest) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Name, b.Name)) })
	for _, g := range waiting[:min(len(waiting), mostChecks-l.checks)] {
		checking, cancel := context.WithTimeout(ctx, longest)
		g.Check, g.cancel, begun = Check{Result: Running}, cancel, true
		l.checks++
		l.checking.Go(func() {
			defer cancel()
			l.finish(g, l.check(checking, g.Name))
		})
	}
	return begun
}

// finish notes the result of a check.
func (l *Lobby) finish(g *guest, result Check) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.checks--
	g.cancel, g.Check = nil, result
	l.tell()
}

// check lets a bot play an event without a record, in games of one turn, until the bot's first mistake.
func (l *Lobby) check(ctx context.Context, bot string) Check {
	id, err := l.arena.Start(ctx, l.contest(bot))
	if err != nil {
		return Check{Failed, "The check could not begin: " + err.Error() + "."}
	}
	var why string
	err = l.arena.Follow(ctx, id, interval, func(p server.Progress) error {
		if why = mistake(bot, &p); why != "" {
			return errOver
		}
		return nil
	})
	if err != nil {
		_ = l.arena.Stop(context.WithoutCancel(ctx), id) // it may be over by now
	}
	switch {
	case why != "":
		return Check{Failed, why}
	case err == nil:
		return Check{Result: Passed}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Check{Failed, fmt.Sprintf("It has not answered in all positions within %v.", longest)}
	}
	return Check{Result: Waiting} // the bot is gone, or the event begins
}

// mistake returns a sentence about a bot's first fault in an event, or about the event's own end before the check was
// done. It returns "" if there is neither.
func mistake(bot string, p *server.Progress) string {
	switch p.State {
	case server.Failed:
		return "The check has failed: " + p.Message + "."
	case server.Interrupted:
		return "The check was stopped before its end: start it again."
	}
	if p.Faults == nil {
		return ""
	}
	for _, f := range p.Faults.First {
		if f.Bot != bot {
			continue
		}
		switch f.Fault {
		case record.IllegalMove:
			return fmt.Sprintf("It has made an illegal move: %s.", f.Detail)
		case record.Time:
			return fmt.Sprintf("It has not answered in time: %s.", f.Detail)
		}
		return fmt.Sprintf("It has left a game: %s.", f.Detail)
	}
	return ""
}

// contest returns the event of a check.
func (l *Lobby) contest(bot string) tournament.Event {
	e := tournament.Event{
		Name: "check of " + bot, Rules: l.plan.Event.Rules, Size: l.plan.Event.Size, Bots: []string{bot, opponent(bot) + "=random"},
		Seed: 2048, Concurrency: 2, InProcess: true, Clock: tournament.Clock{PerMove: perMove},
	}
	positions := positionsFor(e.Rules, e.Size)
	e.Settings.Unrecorded = true
	e.Settings.Openings = tournament.NewOpenings("the check of the lobby", positions)
	e.Settings.Adjudication.MaxTurns = 1
	e.Matches = 2 * len(positions) // two matches share an opening
	return e
}

// opponent returns a name for the other side that does not look like the bot's.
func opponent(bot string) string {
	if protocol.NewNameKey(bot).Alike(protocol.NewNameKey("checker")) {
		return "other side"
	}
	return "checker"
}

// positionsFor returns the starting positions of a check under these rules, on boards of this size. It takes them from
// the kinds of positions of package check in turn, one of each kind at a time.
func positionsFor(r rules.Ruleset, size rules.Size) (list []rules.Position) {
	var kinds [][]rules.Position
	for _, set := range check.Positions() {
		kinds = append(kinds, slices.DeleteFunc(slices.Clone(set.Positions), func(p rules.Position) bool { return p.Rules() != r || p.Size() != size }))
	}
	for n := 0; len(list) < starts && slices.ContainsFunc(kinds, func(k []rules.Position) bool { return n < len(k) }); n++ {
		for _, k := range kinds {
			if n < len(k) && len(list) < starts {
				list = append(list, k[n])
			}
		}
	}
	return list
}
