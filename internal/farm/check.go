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

// mostChecks is the largest number of checks at once.
const mostChecks = 16

// checks lets other workers play a sample of the matches again, and compares the games move by move. A match is
// checked only if all its bots are repeatable: see Unchecked.
type checks struct {
	farm   *Coordinator
	share  float64 // of the matches, besides the first one of each worker
	secret []byte  // unknown to workers, so that none can tell which matches are in the sample; no game depends on it
	life   context.Context
	end    context.CancelFunc
	all    sync.WaitGroup
	places chan struct{} // one for each check under way
	here   sync.Mutex    // held while the arena plays a match itself
	pool   players.Pool  // for the arena's own games

	mu    sync.Mutex
	known map[string]bool // the workers with a match that was chosen for a check
	// doubts counts the doubtful explanations for each worker: a clock had ended the worker's search, although the
	// arena's own search takes only a small part of that time.
	doubts map[string]int
	done   int // checks that have found no difference
}

func newChecks(ctx context.Context, farm *Coordinator, share float64) *checks {
	c := &checks{
		farm: farm, share: share, secret: make([]byte, sha256.Size), places: make(chan struct{}, mostChecks), known: map[string]bool{}, doubts: map[string]int{},
	}
	_, _ = rand.Read(c.secret) // never fails
	c.life, c.end = context.WithCancel(context.WithoutCancel(ctx))
	return c
}

// close ends the checks under way.
func (c *checks) close() {
	c.end()
	c.all.Wait()
}

// considerMatch starts a check of a match that a worker has played, if chooses selects the match. While mostChecks
// checks are under way, considerMatch waits. It gives up when ctx ends, a worker of the event is set aside, or the
// checks are closed.
func (c *checks) considerMatch(ctx context.Context, m *match) {
	s, files, worker := m.work, m.files, m.worker
	key := fmt.Sprint(s.Event.Seed, s.Event.ID, s.Games[0].Match)
	if !c.chooses(key, worker, func() bool { return repeatable(s) }) {
		return
	}
	if !c.awaitPlace(ctx, m.executor) {
		c.forget(worker)
		return
	}
	m.executor.open.Add(1)
	c.start(worker, files, func() error {
		defer m.executor.open.Done()
		return settle(c, comparison[[]tournament.Game]{
			worker: worker, first: s.Games, difference: difference,
			late: func(played, own []tournament.Game) (string, bool) { return late(s.Event.Clock, played, own) },
			again: func(ctx context.Context) ([]tournament.Game, string, error) {
				again := match{assignment: assignment{farm: c.farm, excluded: worker}, work: anew(s), recorder: new(transcript), files: files}
				err := again.play(ctx)
				return again.work.Games, again.alone(), err
			},
			here: func(ctx context.Context) ([]tournament.Game, error) { return c.playHere(ctx, anew(s), files) },
		})
	})
}

// awaitPlace waits for a place for a check. It returns false if first ctx ends, a worker of the event is set aside, or
// the checks are closed.
func (c *checks) awaitPlace(ctx context.Context, v *Executor) bool {
	v.waiting.Add(1)
	defer v.waiting.Add(-1)
	select {
	case c.places <- struct{}{}:
		return true
	case <-ctx.Done():
	case <-v.broken:
	case <-c.life.Done():
	}
	return false
}

// chooses reports whether a worker's match is to be checked. The match must be repeatable, and either its key is in the
// sample, or no match of the worker has been chosen before.
func (c *checks) chooses(key, worker string, repeatable func() bool) bool {
	if c.share <= 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[worker] && !sampled(c.secret, key, c.share) || !repeatable() {
		return false
	}
	c.known[worker] = true
	return true
}

// forget lets the next match of a worker be checked, because the chosen one was not.
func (c *checks) forget(worker string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, worker)
}

// start starts a check. The caller has taken a place for it.
func (c *checks) start(worker string, files stock, check func() error) {
	for _, f := range files.all() {
		c.farm.depot.hold(f)
	}
	c.all.Go(func() {
		defer func() {
			for _, f := range files.all() {
				c.farm.depot.withdraw(f)
			}
			<-c.places
		}()
		if err := check(); err != nil && c.life.Err() == nil {
			c.farm.config.Log.Error("a worker's result could not be checked", "worker", worker, "why", err)
		}
	})
}

// comparison describes how a worker's work is checked.
type comparison[T any] struct {
	worker     string
	first      T
	again      func(context.Context) (T, string, error) // the result and the name of another worker, "" for several
	here       func(context.Context) (T, error)         // the result of this process
	difference func(a, b T) string                      // "" for none
	// late compares the worker's result with the arena's own. unexplained describes the first difference that no clock
	// explains, or is "" if a clock may explain all differences. doubtful is true if an explanation is doubtful. late
	// may be nil: then there is no clock.
	late func(result, own T) (unexplained string, doubtful bool)
}

// settle lets another worker do a worker's work again, or this process if no other worker is there. If the
// results differ, the arena does the work itself, and sets aside all workers with another result than its own.
// A result of several workers sets nobody aside.
func settle[T any](c *checks, x comparison[T]) error {
	others, stop := c.whileOthers(x.worker)
	defer stop()
	results := map[string]T{x.worker: x.first}
	second, other, err := x.again(others)
	switch {
	case err == nil && x.difference(x.first, second) == "":
		c.agree()
		return nil
	case err == nil:
		results[other] = second
	case others.Err() == nil || c.life.Err() != nil:
		return err
	}
	c.here.Lock() // one at a time, to leave processors for the arena's other work
	defer c.here.Unlock()
	own, err := x.here(c.life)
	if err != nil {
		return err
	}
	reasons, excused := judge(c, x, results, own)
	switch {
	case len(reasons) > 0:
		c.farm.setAside(reasons)
	case !excused:
		c.agree()
	}
	return nil
}

// judge returns the reasons to set workers aside, if their results are not the arena's own, and whether a clock excuses
// the worker that is checked. A clock excuses no other worker: the work is done again without one.
func judge[T any](c *checks, x comparison[T], results map[string]T, own T) (reasons map[string]string, excused bool) {
	reasons = map[string]string{}
	for name, result := range results {
		where := x.difference(result, own)
		if where == "" || name == "" {
			continue
		}
		if x.late != nil && name == x.worker {
			unexplained, doubtful := x.late(result, own)
			if unexplained == "" && c.excuses(name, doubtful) {
				excused = true
				continue
			}
			where = cmp.Or(unexplained, where)
		}
		reasons[name] = "it does not play as the arena does: " + where
	}
	return reasons, excused
}

// agree counts a check that has found no difference.
func (c *checks) agree() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
}

// whileOthers returns a context that ends when no other worker could check a worker's work for two leases. One lease is
// too short: a worker that has left may have taken the task with it, and the task comes back only after a lease.
func (c *checks) whileOthers(worker string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(c.life)
	c.all.Go(func() {
		defer cancel()
		for alone := 0; alone < 2 && ctx.Err() == nil; pause(ctx, c.farm.config.Lease) {
			alone++
			if c.farm.hasOther(worker, nil, false) {
				alone = 0
			}
		}
	})
	return ctx, cancel
}

// Unchecked returns the reason why an event's matches with a bot cannot be checked, "" if they can.
func (c *Coordinator) Unchecked(e tournament.Event, entry tournament.Entry) string {
	if c.config.Check <= 0 {
		return "this farm checks nothing (--farm-check 0)"
	}
	return varies(e, entry)
}

// varies returns the reason why a bot may play differently on another machine, or "" if it plays alike everywhere.
func varies(e tournament.Event, entry tournament.Entry) string {
	spec, err := players.ParseClosed(entry.Spec)
	if err != nil {
		return "it is a program"
	}
	spec = spec.Within(e.Settings.Budget)
	if why := spec.Varies(); why != "" {
		return why
	}
	if e.Clock.Base > 0 && spec.Paced() {
		return "it divides the time of a game among its moves"
	}
	return ""
}

// repeatable reports whether every machine plays a match's games alike, except where a clock ends a search.
func repeatable(s tournament.MatchWork) bool {
	g := &s.Games[0]
	return !slices.ContainsFunc(s.Event.Entries, func(e tournament.Entry) bool {
		return (e.Name == g.First || e.Name == g.Second) && varies(s.Event, e) != ""
	})
}

// sampled reports whether a key is in the sample. The answer depends on nothing but the key, the secret and the share.
func sampled(secret []byte, key string, share float64) bool {
	sum := hmac.New(sha256.New, secret) // a weaker hash chose too many keys with the same beginning
	sum.Write([]byte(key))
	return float64(binary.BigEndian.Uint64(sum.Sum(nil))>>11)/(1<<53) < share
}

// unchanged returns an error if a file has changed since others played with it, or cannot be read.
func (c *checks) unchanged(ctx context.Context, entries []tournament.Entry, files stock) error {
	for bot, options := range filesOf(entries) {
		for option, path := range options {
			now, err := c.farm.depot.look(ctx, path)
			if err != nil {
				return fmt.Errorf("bot %q: %w", bot, err)
			}
			if then, played := files[bot][option]; played && now.Sum != then.Sum {
				return fmt.Errorf("bot %q: its file %s has changed", bot, path)
			}
		}
	}
	return nil
}

// playHere plays a match in this process, unless a file has changed since the others played with it.
func (c *checks) playHere(ctx context.Context, s tournament.MatchWork, files stock) ([]tournament.Game, error) {
	s.Event.Entries = (&match{work: s}).entries() // files of other bots do not matter
	if err := c.unchanged(ctx, s.Event.Entries, files); err != nil {
		return nil, err
	}
	local, err := newLocalExecutor(s.Event, c.farm.config.Version, &c.pool)
	if err != nil {
		return nil, err
	}
	var t transcript
	err = local.Play(ctx, s, &t)
	return t.games, err
}

// anew returns the same games before their first plies, without a clock.
func anew(s tournament.MatchWork) tournament.MatchWork {
	s.Event.Clock = tournament.Clock{}
	s.Games = slices.Clone(s.Games)
	for i := range s.Games {
		r := &s.Games[i].Record
		r.Moves, r.Times, r.Lags, r.Searches, r.Pauses = nil, nil, nil, nil, nil
		r.Ending, r.Detail = record.Unfinished, ""
	}
	return s
}

// difference describes the first difference of games in their moves or endings. It is "" if there is none.
func difference(a, b []tournament.Game) string {
	for i := range a {
		x, y := &a[i].Record, &b[i].Record
		switch ply, differ := parting(x, y); {
		case !differ:
		case ply < min(len(x.Moves), len(y.Moves)):
			return fmt.Sprintf("ply %d of game %d is %v, not %v", ply+1, a[i].ID, x.Moves[ply], y.Moves[ply])
		default:
			return fmt.Sprintf("game %d ends after %d plies (%s), not %d (%s)", a[i].ID, len(x.Moves), x.Ending, len(y.Moves), y.Ending)
		}
	}
	return ""
}

// parting returns the number of plies that two records of a game have in common, and whether they differ after them, in
// a move or in the ending.
func parting(x, y *record.Record) (ply int, differ bool) {
	for ply < min(len(x.Moves), len(y.Moves)) && x.Moves[ply] == y.Moves[ply] {
		ply++
	}
	return ply, ply < max(len(x.Moves), len(y.Moves)) || x.Ending != y.Ending
}

// transcript keeps the games that have ended. It implements tournament.Recorder.
type transcript struct{ games []tournament.Game }

// Begun implements tournament.Recorder.
func (*transcript) Begun(tournament.Game, ...tournament.Seat) {}

// Played implements tournament.Recorder.
func (*transcript) Played(*tournament.Game, tournament.Ply) {}

// Ended implements tournament.Recorder.
func (t *transcript) Ended(g tournament.Game) error {
	t.games = append(t.games, g)
	return nil
}
