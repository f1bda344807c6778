package botcmd

import (
	"context"
	"fmt"
	"slices"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Trial lets a program play a few matches against bots of known strength. As in an event, a tournament.Referee keeps
// the clock, and a roster.ProgramBot runs the program. But the games are played one after the other, so that both sides
// have enough of the machine.
type Trial struct {
	Command   []string // the program and its arguments
	Opponents []string // specs, in turn
	Matches   int      // in all, two games each
	Clock     tournament.Clock
	Rules     rules.Ruleset
	Size      rules.Size
	Seed      uint64 // of all random choices
	// StartTimeout is the time that the program may take until it is ready; 0 for stdio.StartTimeout.
	StartTimeout time.Duration
	// Played is called after each game with the number of finished games; it may be nil.
	Played func(games int)
}

// me is the program's name in its games.
const me = "the program"

// RunTrial plays the matches. If the program does not become ready, the report has the reason as its Problem. RunTrial
// returns a usage error for wrong opponents, and an error if ctx ends.
func RunTrial(ctx context.Context, c Trial) (*TrialReport, error) {
	opponents, err := c.opponents()
	if err != nil {
		return nil, err
	}
	bot, err := roster.StartProgram(ctx, me, tournament.Event{Rules: c.Rules, Size: c.Size, Concurrency: 1}, roster.ProgramConfig{Command: c.Command, StartTimeout: c.StartTimeout})
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		r := newReport(c, tournament.Identity{})
		r.Problem = err.Error()
		return r, nil
	}
	defer bot.Close()
	r := newReport(c, bot.Identity())
	for match := range c.Matches {
		for leg, side := range []rules.Side{rules.Defender, rules.Attacker} {
			g, err := c.play(ctx, bot, opponents[match%len(opponents)], match, leg, side)
			if err != nil {
				return nil, err
			}
			r.add(g, side)
			if c.Played != nil {
				c.Played(2*match + leg + 1)
			}
		}
	}
	return r, nil
}

// opponents returns the bots of the specs. It returns a usage error if a spec is wrong or given twice, or if its bot
// does not play such games.
func (c Trial) opponents() (bots []tournament.Bot, err error) {
	e := tournament.Event{Rules: c.Rules, Size: c.Size, Concurrency: 1}
	for i, text := range c.Opponents {
		if slices.Contains(c.Opponents[:i], text) {
			return nil, cmdline.Usagef("--against: the opponent %s is given twice", text)
		}
		if _, err := players.Parse(text); err != nil {
			return nil, cmdline.Usagef("--against: %w", err)
		}
		bot, err := tournament.NewLocalBot(e, tournament.Entry{Name: text, Spec: text}, "", nil)
		if err != nil {
			return nil, cmdline.Usagef("--against: %w", err)
		}
		bots = append(bots, bot)
	}
	return bots, nil
}

// play plays one game of a match. side is the side of the program.
func (c Trial) play(ctx context.Context, bot, opponent tournament.Bot, match, leg int, side rules.Side) (tournament.Game, error) {
	g := tournament.Game{
		ID:      int64(2*match + leg + 1),
		Pairing: tournament.Pairing{Match: match + 1, First: me, Second: opponent.Identity().Name},
		Leg:     leg + 1,
		Record:  record.Record{Start: rules.NewPosition(c.Rules, c.Size), Ending: record.Unfinished},
	}
	names, sides := []string{opponent.Identity().Name, me}, []tournament.Bot{opponent, bot}
	if side == rules.Attacker {
		slices.Reverse(names)
		slices.Reverse(sides)
	}
	g.Record.Attacker, g.Record.Defender = names[0], names[1]
	seed := (c.Seed + uint64(match)) & (1<<53 - 1)
	seat := func(b tournament.Bot, s rules.Side) tournament.Seat {
		return b.Sit(tournament.Assignment{Event: "a trial", Game: g, Side: s, Seed: seed, Clock: c.Clock})
	}
	attacker, defender := seat(sides[0], rules.Attacker), seat(sides[1], rules.Defender)
	played, err := tournament.Referee{Clock: c.Clock}.Play(ctx, g, attacker, defender)
	if err != nil {
		return played, fmt.Errorf("match %d: %w", match+1, err)
	}
	return played, nil
}

// times returns the times that the program took for its moves in a game. side is the program's side.
func times(g tournament.Game, side rules.Side) (list []time.Duration) {
	for i, t := range g.Record.Times {
		if (i%2 == 0) == (side == rules.Attacker) {
			list = append(list, t)
		}
	}
	return list
}
