package archive

import (
	"context"
	"slices"
	"time"

	"versus2048/results"
	"versus2048/tournament"
)

// Limits of the games for an estimate: the last events on such a board, the last of these that have such bots, and the
// last games of each.
const (
	estimateLooks  = 200
	estimateEvents = 20
	estimateGames  = 50
)

// Estimate is the expected time of the games of an event, computed from earlier games of its bots.
type Estimate struct {
	Game    time.Duration // both sides of one game
	Games   int           // number of earlier games that it is computed from
	Unknown []string      // names of bots without earlier games; if there are any, Game is too short
}

// thought is the time that a bot has thought in some games.
type thought struct {
	games int
	time  time.Duration
}

// Estimate estimates the time of an event's games from earlier ones of its bots, on the same board by
// the same rules, clocks and budgets. A bot is known by its spec, or without one by its name.
func (a *Archive) Estimate(ctx context.Context, e tournament.Event) (x Estimate, err error) {
	lines, _, err := a.All(ctx)
	if err != nil {
		return x, err
	}
	thoughts, looks, read := map[string]*thought{}, 0, 0
	for _, entry := range e.Entries {
		thoughts[kindOf(entry)] = &thought{}
	}
	for _, l := range slices.Backward(lines) {
		if l.Rules != e.Rules.String() || l.Size != e.Size.String() || l.Done == 0 {
			continue
		}
		if looks++; looks > estimateLooks || read == estimateEvents {
			break
		}
		known, err := a.store.Event(ctx, l.Event)
		if err != nil {
			return x, err
		}
		if known.Clock != e.Clock || known.Settings.Budget != e.Settings.Budget {
			continue
		}
		games, err := a.addThoughts(ctx, known, thoughts)
		if err != nil {
			return x, err
		}
		if x.Games += games; games > 0 {
			read++
		}
	}
	for _, entry := range e.Entries {
		t := thoughts[kindOf(entry)]
		if t.games == 0 {
			x.Unknown = append(x.Unknown, entry.Name)
			continue
		}
		x.Game += 2 * t.time / time.Duration(t.games*len(e.Entries)) // two bots a game, with the mean time of all
	}
	return x, nil
}

// kindOf returns a name for all bots that think equally long.
func kindOf(e tournament.Entry) string {
	if e.Spec == "" {
		return "named " + e.Name
	}
	return e.Spec
}

// addThoughts adds the think times of the bots in thoughts during the last games of an event, and returns the number of
// these games.
func (a *Archive) addThoughts(ctx context.Context, e tournament.Event, thoughts map[string]*thought) (games int, err error) {
	asked := map[string]*thought{} // by name
	for _, entry := range e.Entries {
		if t := thoughts[kindOf(entry)]; t != nil {
			asked[entry.Name] = t
		}
	}
	if len(asked) == 0 {
		return 0, nil
	}
	last := results.Filter{Event: e.ID, Finished: true, Last: estimateGames}
	return games, a.store.Games(ctx, last, func(g results.Stored) error {
		sides := [2]*thought{asked[g.Record.Attacker], asked[g.Record.Defender]}
		if g.Record.Ending.Fault() || sides == [2]*thought{} {
			return nil
		}
		games++
		for side, t := range sides {
			if t == nil {
				continue
			}
			t.games++
			for i := range g.Record.Times {
				if (int(g.Record.Start.SideToMove())+i)%2 == side {
					t.time += g.Record.Times[i]
				}
			}
		}
		return nil
	})
}
