package farm

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"versus2048/players"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// mostChecks is how many checks may be under way at once.
const mostChecks = 16

// checks has a sample of the matches that workers have played played again by others, and compares move by move. Only
// matches can be checked in which every bot is repeatable and no clock runs.
type checks struct {
	farm  *Coordinator
	share float64 // of the matches, beside the first one of each worker
	life  context.Context
	end   context.CancelFunc
	all   sync.WaitGroup
	pool  players.Pool // of the arena's own opinion

	mu      sync.Mutex
	known   map[string]bool // the workers of which a match was chosen
	pending int
	done    int // how many have found no difference
}

func newChecks(ctx context.Context, farm *Coordinator, share float64) *checks {
	c := &checks{farm: farm, share: share, known: map[string]bool{}}
	c.life, c.end = context.WithCancel(context.WithoutCancel(ctx))
	return c
}

// close ends the checks under way.
func (c *checks) close() {
	c.end()
	c.all.Wait()
}

// consider checks a match that a worker has played, if it can be checked and is in the sample.
func (c *checks) consider(s tournament.Sheet, worker string) {
	if c.share <= 0 || !repeatable(s) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending >= mostChecks || c.known[worker] && !sampled(s, c.share) {
		return
	}
	c.known[worker] = true
	c.pending++
	c.all.Go(func() {
		if err := c.check(s, worker); err != nil && c.life.Err() == nil {
			c.farm.config.Log.Error("a match could not be checked", "event", s.Event.ID, "match", s.Games[0].Match, "why", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pending--
	})
}

// repeatable reports whether each machine has to play a match's games alike.
func repeatable(s tournament.Sheet) bool {
	g := &s.Games[0]
	return s.Event.Clock == (tournament.Clock{}) && !slices.ContainsFunc(s.Event.Entries, func(e tournament.Entry) bool {
		spec, err := players.ParseClosed(e.Spec)
		return (e.Name == g.First || e.Name == g.Second) && (err != nil || !spec.Within(s.Event.Settings.Budget).Repeatable())
	})
}

// sampled reports whether a match is in the sample. That depends on the event and the match alone.
func sampled(s tournament.Sheet, share float64) bool {
	sum := fnv.New64a()
	fmt.Fprint(sum, s.Event.Seed, s.Event.ID, s.Games[0].Match)
	return float64(sum.Sum64()>>11)/(1<<53) < share
}

// check has a match played again by another worker. If the games differ the arena plays it itself, and sets aside who has
// played otherwise.
func (c *checks) check(s tournament.Sheet, worker string) error {
	again := match{assignment: assignment{farm: c.farm, not: worker}, sheet: anew(s), desk: new(transcript)}
	if err := again.play(c.life); err != nil {
		return err
	}
	where := difference(s.Games, again.sheet.Games)
	if where == "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.done++
		return nil
	}
	own, err := c.playHere(anew(s))
	if err != nil {
		return err
	}
	for name, games := range map[string][]tournament.Game{worker: s.Games, again.worker: again.sheet.Games} {
		if where := difference(games, own); where != "" {
			c.farm.setAside(name, "it does not play as the arena does: "+where)
		}
	}
	return nil
}

// playHere plays a match in this process.
func (c *checks) playHere(s tournament.Sheet) ([]tournament.Game, error) {
	hall, err := newHall(s.Event, c.farm.config.Version, &c.pool)
	if err != nil {
		return nil, err
	}
	var t transcript
	err = hall.Play(c.life, s, &t)
	return t.games, err
}

// anew returns a sheet of the same games before their first plies.
func anew(s tournament.Sheet) tournament.Sheet {
	s.Games = slices.Clone(s.Games)
	for i := range s.Games {
		r := &s.Games[i].Record
		r.Moves, r.Times, r.Lags, r.Searches, r.Pauses = nil, nil, nil, nil, nil
		r.Ending, r.Detail = record.Unfinished, ""
	}
	return s
}

// difference returns where games differ in their moves or endings, "" if they do not.
func difference(a, b []tournament.Game) string {
	for i := range a {
		x, y := &a[i].Record, &b[i].Record
		for ply := range min(len(x.Moves), len(y.Moves)) {
			if x.Moves[ply] != y.Moves[ply] {
				return fmt.Sprintf("ply %d of game %d is %v, not %v", ply+1, a[i].ID, x.Moves[ply], y.Moves[ply])
			}
		}
		if len(x.Moves) != len(y.Moves) || x.Ending != y.Ending {
			return fmt.Sprintf("game %d ends after %d plies (%s), not %d (%s)", a[i].ID, len(x.Moves), x.Ending, len(y.Moves), y.Ending)
		}
	}
	return ""
}

// transcript is a Desk that keeps the games.
type transcript struct{ games []tournament.Game }

// Begun implements tournament.Desk.
func (*transcript) Begun(tournament.Game, ...tournament.Seat) {}

// Played implements tournament.Desk.
func (*transcript) Played(tournament.Game, tournament.Ply) {}

// Ended implements tournament.Desk.
func (t *transcript) Ended(g tournament.Game) error {
	t.games = append(t.games, g)
	return nil
}
