package arena

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"versus2048/tournament"
)

// feed keeps an event's latest progress and wakes those who follow it. It is
// the event's tournament.Watcher, see feed_watcher.go.
type feed struct {
	mu      sync.Mutex
	now     Progress
	began   time.Time
	before  int           // games that were done before this run
	changed chan struct{} // closed at the next change
	playing map[int64]GameProgress

	board    *scoreboard
	bulletin *bulletin
}

// standingsAge is how old standings may be that are told while games go on.
const standingsAge = time.Second

// newFeed is the feed of an event of which these games are done.
func newFeed(e tournament.Event, done []tournament.Game) *feed {
	f := &feed{
		now:      Progress{Event: e.ID, Name: e.Name, State: Waiting},
		began:    time.Now(),
		before:   -1,
		changed:  make(chan struct{}),
		playing:  map[int64]GameProgress{},
		board:    newScoreboard(e, done),
		bulletin: newBulletin(),
	}
	f.now.count(len(done), f.board.total())
	return f
}

func (f *feed) update(change func(p *Progress)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.now)
	close(f.changed)
	f.changed = make(chan struct{})
}

// latest is the progress now and a channel that is closed when it changes.
func (f *feed) latest() (Progress, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.now
	if !p.State.Final() {
		p.Elapsed = Millis(time.Since(f.began))
	}
	if f.before >= 0 {
		p.Played = p.Done - f.before
	}
	if p.State == Running && p.Played > 0 && p.Total > p.Done {
		p.Left = p.Elapsed / Millis(p.Played) * Millis(p.Total-p.Done)
	}
	return p, f.changed
}

// detailed adds the games in progress and the standings.
func (f *feed) detailed(p Progress) Progress {
	f.mu.Lock()
	p.Games = slices.SortedFunc(maps.Values(f.playing), func(a, b GameProgress) int { return cmp.Compare(a.Game, b.Game) })
	f.mu.Unlock()
	age := standingsAge
	if p.State.Final() {
		age = 0
	}
	p.Standings, _ = f.board.standings(age)
	return p
}

// follow calls show with the latest progress at each change, at most once an
// interval, until the state is final. It returns ctx's error if that ends first.
func (f *feed) follow(ctx context.Context, interval time.Duration, show func(Progress) error) error {
	for {
		p, changed := f.latest()
		if err := show(p); err != nil || p.State.Final() {
			return err
		}
		if err := await(ctx, changed, interval); err != nil {
			return err
		}
	}
}

// await waits for a change, and an interval at least.
func await(ctx context.Context, changed <-chan struct{}, interval time.Duration) error {
	pause := time.After(interval)
	if err := wait(ctx, changed); err != nil {
		return err
	}
	return wait(ctx, pause)
}

func wait[T any](ctx context.Context, c <-chan T) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// final tells whether nothing more happens.
func (f *feed) final() bool {
	now, _ := f.latest()
	return now.State.Final()
}

// end sets the final state.
func (f *feed) end(state State, message string) {
	f.update(func(p *Progress) {
		p.Elapsed = Millis(time.Since(f.began))
		p.State, p.Message, p.Playing = state, message, 0
		clear(f.playing)
	})
	f.announce(EventFinished)
}

// announce tells of a change of the event's state.
func (f *feed) announce(kind NewsType) {
	now, _ := f.latest()
	n := newNews(now.Event, kind)
	n.Progress = &now
	f.bulletin.add(n)
}

// pause notes that no new games begin, or that they begin again. The figures are
// since then.
func (f *feed) pause(paused bool) {
	state, kind := Running, EventResumed
	if paused {
		state, kind = Paused, EventPaused
	}
	f.update(func(p *Progress) {
		if p.State.Final() {
			return // it was the last game
		}
		p.State = state
		if !paused {
			f.before, f.began, p.Plies = p.Done, time.Now(), 0
		}
	})
	f.announce(kind)
}
