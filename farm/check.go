package farm

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
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
	farm   *Coordinator
	share  float64 // of the matches, beside the first one of each worker
	secret []byte  // that no worker knows, so that none can tell what is in the sample; no game depends on it
	life   context.Context
	end    context.CancelFunc
	all    sync.WaitGroup
	pool   players.Pool // of the arena's own opinion

	mu      sync.Mutex
	known   map[string]bool // the workers of which a match was chosen
	pending int
	done    int // how many have found no difference
}

func newChecks(ctx context.Context, farm *Coordinator, share float64) *checks {
	c := &checks{farm: farm, share: share, secret: make([]byte, sha256.Size), known: map[string]bool{}}
	_, _ = rand.Read(c.secret) // which never fails
	c.life, c.end = context.WithCancel(context.WithoutCancel(ctx))
	return c
}

// close ends the checks under way.
func (c *checks) close() {
	c.end()
	c.all.Wait()
}

// considerMatch checks a match that a worker has played with those files, if it can be checked and is in the sample.
func (c *checks) considerMatch(s tournament.Sheet, files stock, worker string) {
	key := fmt.Sprint(s.Event.Seed, s.Event.ID, s.Games[0].Match)
	c.consider(key, worker, files, func() bool { return repeatable(s) }, func() error {
		return settle(c, comparison[[]tournament.Game]{
			worker: worker, first: s.Games, difference: difference,
			again: func(ctx context.Context) ([]tournament.Game, string, error) {
				again := match{assignment: assignment{farm: c.farm, not: worker}, sheet: anew(s), desk: new(transcript), files: files}
				err := again.play(ctx)
				return again.sheet.Games, again.alone(), err
			},
			here: func(ctx context.Context) ([]tournament.Game, error) { return c.playHere(ctx, anew(s), files) },
		})
	})
}

// consider checks what a worker has done with some files if its key is in the sample, or if it is the worker's first; not if
// it is not repeatable.
func (c *checks) consider(key, worker string, files stock, repeatable func() bool, check func() error) {
	if c.share <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending >= mostChecks || c.known[worker] && !sampled(c.secret, key, c.share) || !repeatable() {
		return
	}
	c.known[worker] = true
	c.pending++
	for _, f := range files.all() {
		c.farm.depot.hold(f)
	}
	c.all.Go(func() {
		defer func() {
			for _, f := range files.all() {
				c.farm.depot.withdraw(f)
			}
		}()
		if err := check(); err != nil && c.life.Err() == nil {
			c.farm.config.Log.Error("what a worker has done could not be checked", "worker", worker, "why", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pending--
	})
}

// comparison is how something is checked that a worker has done.
type comparison[T any] struct {
	worker     string
	first      T
	again      func(context.Context) (T, string, error) // by another worker, and its name, "" for several
	here       func(context.Context) (T, error)         // by this process
	difference func(a, b T) string                      // "" for none
}

// settle has another worker do again what a worker has done. If the results differ the arena does it itself, and sets aside
// who has another result; nobody for one that several workers have a part in.
func settle[T any](c *checks, x comparison[T]) error {
	second, other, err := x.again(c.life)
	if err != nil {
		return err
	}
	if x.difference(x.first, second) == "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.done++
		return nil
	}
	own, err := x.here(c.life)
	if err != nil {
		return err
	}
	reasons := map[string]string{}
	for name, result := range map[string]T{x.worker: x.first, other: second} {
		if where := x.difference(result, own); where != "" && name != "" {
			reasons[name] = "it does not play as the arena does: " + where
		}
	}
	c.farm.setAside(reasons)
	return nil
}

// repeatable reports whether each machine has to play a match's games alike.
func repeatable(s tournament.Sheet) bool {
	g := &s.Games[0]
	return s.Event.Clock == (tournament.Clock{}) && !slices.ContainsFunc(s.Event.Entries, func(e tournament.Entry) bool {
		spec, err := players.ParseClosed(e.Spec)
		return (e.Name == g.First || e.Name == g.Second) && (err != nil || !spec.Within(s.Event.Settings.Budget).Repeatable())
	})
}

// sampled reports whether a key is in the sample, which depends on it and the secret alone.
func sampled(secret []byte, key string, share float64) bool {
	sum := hmac.New(sha256.New, secret) // a weaker one chose half as many again of keys that differ in their last digits
	sum.Write([]byte(key))
	return float64(binary.BigEndian.Uint64(sum.Sum(nil))>>11)/(1<<53) < share
}

// unchanged returns an error if a file has changed since others have played with it.
func (c *checks) unchanged(ctx context.Context, entries []tournament.Entry, files stock) error {
	for bot, options := range filesOf(entries) {
		for option, path := range options {
			now, err := c.farm.depot.look(ctx, path)
			if then, played := files[bot][option]; err != nil || played && now.Sum != then.Sum {
				return fmt.Errorf("bot %q: its file %s is no longer what it was: %w", bot, path, cmp.Or(err, errUnreadable))
			}
		}
	}
	return nil
}

// playHere plays a match in this process, unless a file has changed since the others have played with it.
func (c *checks) playHere(ctx context.Context, s tournament.Sheet, files stock) ([]tournament.Game, error) {
	if err := c.unchanged(ctx, s.Event.Entries, files); err != nil {
		return nil, err
	}
	hall, err := newHall(s.Event, c.farm.config.Version, &c.pool)
	if err != nil {
		return nil, err
	}
	var t transcript
	err = hall.Play(ctx, s, &t)
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
