package tournament

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
)

// Executor plays games, in this process or on other machines. A [Runner] uses both kinds in the same way.
type Executor interface {
	// Play plays the games of a match one after the other, each from its last ply to its end, and
	// reports to r. The failure of a bot ends its game and is not an error. Play returns
	// ErrInterrupted if ctx ends, an error of r as it is, or the reason why a game cannot be
	// played. Games that have not ended can be resumed.
	Play(ctx context.Context, w MatchWork, r Recorder) error
}

// MatchWork holds the data for playing the games of one match.
type MatchWork struct {
	Event Event  // with its settings
	Games []Game // one or both games of a match, in their order, with the journal's plies
	// Target is a score, or nil: the match is decided once the first of these games has passed it.
	Target *int
}

// Recorder receives the news of the games that an executor plays. For one game, its methods are called one
// after the other.
type Recorder interface {
	// Begun is called when a game starts or resumes. seats are the seats in this process.
	Begun(g Game, seats ...Seat)
	// Played is called after each ply. g includes the ply, and changes later.
	Played(g *Game, ply Ply)
	// Ended is called with a game that has an ending. It returns nil once the game is recorded.
	Ended(g Game) error
}

// DistrustError means that games of an event do not count and must be played again, since a worker
// played them differently from others.
type DistrustError struct {
	Workers map[string]string // the workers (see Origin), with the reasons why they are not trusted
	Games   []int64           // further games that they played in part
}

func (e *DistrustError) Error() string {
	var all []string
	for _, worker := range slices.Sorted(maps.Keys(e.Workers)) {
		all = append(all, fmt.Sprintf("worker %q is not to be trusted: %s", worker, e.Workers[worker]))
	}
	return strings.Join(all, "; ")
}

// LocalExecutor is the executor in this process. It takes the bots' seats and runs a referee.
type LocalExecutor struct {
	Bots    map[string]Bot // by name
	Running clock.Source   // for the Referee; may be nil
}

// Play implements [Executor].
func (l LocalExecutor) Play(ctx context.Context, w MatchWork, r Recorder) error {
	target := w.Target
	for i, g := range w.Games {
		seats := l.seats(w.Event, g)
		r.Begun(g, seats...)
		g, err := l.referee(w.Event, target, r).Play(ctx, g, seats[rules.Attacker], seats[rules.Defender])
		if err != nil {
			return err
		}
		g.Finished = time.Now().UTC()
		for side, seat := range seats {
			g.Logs[side] = seat.Log()
		}
		if err := r.Ended(g); err != nil {
			return err
		}
		if i+1 < len(w.Games) {
			target = w.Event.Settings.Adjudication.Target(Summarize(&g))
		}
	}
	return nil
}

func (l LocalExecutor) seats(e Event, g Game) []Seat {
	sit := func(name string, side rules.Side, seed uint64) Seat {
		if side == rules.Attacker && e.Rules.Chance() {
			return localSeat{player: players.WithMargin(players.Chance(players.Game{Seed: seed}), 0), bot: &LocalBot{}}
		}
		return l.Bots[name].Sit(Assignment{
			Event: e.Name, Game: g, Side: side, Seed: seed,
			Clock: e.Clock, Search: e.Search, Settings: e.Settings,
		})
	}
	return []Seat{
		rules.Attacker: sit(g.Record.Attacker, rules.Attacker, g.Record.AttackerSeed),
		rules.Defender: sit(g.Record.Defender, rules.Defender, g.Record.DefenderSeed),
	}
}

func (l LocalExecutor) referee(e Event, target *int, r Recorder) Referee {
	return Referee{
		Clock:        e.Clock,
		Lenience:     e.Settings.Lenience,
		Adjudication: e.Settings.Adjudication,
		Target:       target,
		Search:       e.Search,
		Running:      l.Running,
		Played:       r.Played,
	}
}

// Elsewhere is an executor on other machines. It plays whole matches.
type Elsewhere interface {
	Executor
	// Takes reports whether the bots with these entries can play there. The answer does not change.
	Takes(entries ...Entry) bool
	// Room returns the number of matches that should be given out there at once, at least 1.
	Room() int
	// Changed receives a value when Room has changed.
	Changed() <-chan struct{}
	// Settle waits until it is certain whether the games that were played there count. It returns a
	// *DistrustError if some do not, or ErrInterrupted if ctx ends.
	Settle(ctx context.Context) error
}
