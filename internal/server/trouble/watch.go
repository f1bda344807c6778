package trouble

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Config is the configuration of a Watch.
type Config struct {
	Bounds Bounds
	// Changed is called for each trouble when it is raised and when it is over. It may be nil, and must return at once.
	Changed func(t Trouble, over bool)
	// Lost is called for each bot that an event loses. It may be nil, and must return at once.
	Lost func(e Event, bot Gone)
	// Also returns more symptoms at each check, for things that a Snapshot does not have. It may be nil.
	Also func() []Symptom
}

// Watch knows the present troubles of an arena. Its methods may be called by several goroutines. A nil Watch has no
// troubles, and its Run returns at once.
type Watch struct {
	config Config
	faults *faults

	checking sync.Mutex // held by Check
	checks   []check
	lost     lostBots

	mu sync.Mutex
	up map[subject]*raised
}

// check finds symptoms in a snapshot.
type check interface {
	symptoms(arena Snapshot) []Symptom
}

// New returns a watch without troubles. The bounds have to be valid.
func New(c Config) *Watch {
	w := &Watch{config: c, up: map[subject]*raised{}, lost: lostBots{}}
	w.faults = &faults{most: c.Bounds.Faults, games: c.Bounds.Games, last: map[int64]map[string]*lastGames{}}
	w.checks = []check{
		&stalls{bound: c.Bounds.Stall}, &failures{}, w.faults, &missing{bound: c.Bounds.Missing}, &workers{bound: c.Bounds.Stall},
		&disk{bound: c.Bounds.Free}, &jumps{}, &standstills{},
		database{},
	}
	return w
}

// A trouble is over after quietChecks checks without a symptom. There are at most mostTroubles at once, so that
// strangers cannot make the list long.
const (
	quietChecks  = 6
	mostTroubles = 500
)

// Run checks the arena every five seconds, or more often if the bounds are short, until ctx ends. snapshot returns the
// arena's state.
func (w *Watch) Run(ctx context.Context, snapshot func(context.Context) Snapshot) {
	if w == nil {
		return
	}
	tick := time.NewTicker(w.config.Bounds.interval())
	defer tick.Stop()
	for ctx.Err() == nil {
		w.Check(snapshot(ctx))
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Check raises and ends troubles by the present state of the arena. The snapshots of successive calls must be in the
// order of their Elapsed.
func (w *Watch) Check(arena Snapshot) {
	w.checking.Lock()
	defer w.checking.Unlock()
	var all []Symptom
	for _, c := range w.checks {
		all = append(all, c.symptoms(arena)...)
	}
	if w.config.Also != nil {
		all = append(all, w.config.Also()...)
	}
	begun, over := w.update(arena, all)
	if w.config.Changed != nil {
		for _, t := range begun {
			w.config.Changed(t, false)
		}
		for _, t := range over {
			w.config.Changed(t, true)
		}
	}
	if w.config.Lost != nil {
		w.lost.report(arena, w.config.Lost)
	}
}

// update records the symptoms of a snapshot.
func (w *Watch) update(arena Snapshot, all []Symptom) (begun, over []Trouble) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.up {
		r.quiet++
	}
	for _, s := range all {
		about := subject{s.Kind, s.Subject}
		r := w.up[about]
		if r == nil && s.Bad && len(w.up) < mostTroubles {
			r = &raised{Trouble: Trouble{s.Kind, s.Subject, s.Event, s.Bot, arena.Wall.UTC(), s.Text}}
			w.up[about] = r
			begun = append(begun, r.Trouble)
		}
		if r != nil {
			r.quiet, r.Text = 0, s.Text
		}
	}
	for about, r := range w.up {
		if r.quiet >= quietChecks {
			delete(w.up, about)
			over = append(over, r.Trouble)
		}
	}
	return begun, sorted(over)
}

// Troubles returns the present troubles, the oldest first.
func (w *Watch) Troubles() []Trouble {
	all := []Trouble{}
	if w == nil {
		return all
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.up {
		all = append(all, r.Trouble)
	}
	return sorted(all)
}

// Counts returns the number of present troubles of every kind, zeros included.
func (w *Watch) Counts() map[Kind]int {
	counts := map[Kind]int{}
	for _, kind := range Kinds() {
		counts[kind] = 0
	}
	for _, t := range w.Troubles() {
		counts[t.Kind]++
	}
	return counts
}

// GameOver counts a finished game of an event. faulty is the bot that lost it by a fault, "" for nobody.
func (w *Watch) GameOver(event int64, attacker, defender, faulty string) {
	if w != nil {
		w.faults.add(event, attacker, defender, faulty)
	}
}

// Bounds are the limits beyond which something is a trouble.
type Bounds struct {
	Stall   time.Duration // a longer delay of a move is a trouble
	Missing time.Duration // a longer wait of an event for a bot is a trouble
	Faults  int           // games that a bot has lost by a fault, of its last Games in an event
	Games   int           // at most MostGames
	Free    int64         // bytes that have to be free on the database's disk
}

// MostGames is the largest value of Bounds.Games.
const MostGames = 64

// DefaultBounds returns bounds that fit most arenas.
func DefaultBounds() Bounds {
	return Bounds{Stall: time.Minute, Missing: 10 * time.Minute, Faults: 3, Games: 10, Free: 1 << 30}
}

// Validate returns an error that names a bound that is out of range.
func (b Bounds) Validate() error {
	switch {
	case b.Stall <= 0:
		return fmt.Errorf("an event stalls after %v: want more than 0", b.Stall)
	case b.Missing <= 0:
		return fmt.Errorf("a bot is missing after %v: want more than 0", b.Missing)
	case b.Faults < 1 || b.Games < b.Faults || b.Games > MostGames:
		return fmt.Errorf("%d faults in %d games: want 1 or more faults, in at least as many games and at most %d", b.Faults, b.Games, MostGames)
	case b.Free < 0:
		return fmt.Errorf("%d bytes free: want 0 or more", b.Free)
	}
	return nil
}

// The longest and the shortest time from one snapshot to the next.
const (
	longestInterval  = 5 * time.Second
	shortestInterval = 10 * time.Millisecond
)

// interval returns the time between two snapshots.
func (b Bounds) interval() time.Duration {
	return max(shortestInterval, min(longestInterval, b.Stall/4, b.Missing/4))
}
