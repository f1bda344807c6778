package arena

import (
	"context"
	"sync"
	"time"

	"versus2048/tournament"
)

// State says how an event stands on this arena.
type State string

// The states. The last three are final.
const (
	Waiting     State = "waiting" // for its bots
	Running     State = "running"
	Finished    State = "finished"
	Interrupted State = "interrupted" // stopped; can be resumed
	Failed      State = "failed"      // we could not go on; can be resumed
)

// Final tells whether nothing more happens.
func (s State) Final() bool { return s == Finished || s == Interrupted || s == Failed }

// Progress is how far an event has come.
type Progress struct {
	Event   int64            `json:"event"`
	State   State            `json:"state"`
	Message string           `json:"message,omitempty"` // why it failed
	Done    int              `json:"done"`              // finished games
	Total   int              `json:"total"`             // games in all, 0 where there is no end
	Bound   tournament.Bound `json:"bound,omitempty"`   // what Total is
	Playing int              `json:"playing"`           // games in progress
	Plies   int64            `json:"plies"`             // played since it was started or resumed
	Elapsed Millis           `json:"elapsed_ms"`        // since then
	// Left is an estimate, 0 until a game has ended since the start or resume:
	// the time since then for each game that has ended, times the games left.
	Left Millis `json:"left_ms"`
}

// feed keeps an event's latest progress and wakes those who follow it. It is
// the event's tournament.Watcher.
type feed struct {
	mu      sync.Mutex
	now     Progress
	began   time.Time
	before  int           // games that were done before this run
	changed chan struct{} // closed at the next change
}

func newFeed(event int64) *feed {
	return &feed{
		now:     Progress{Event: event, State: Waiting},
		began:   time.Now(),
		before:  -1,
		changed: make(chan struct{}),
	}
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
	if played := p.Done - f.before; p.State == Running && played > 0 && p.Total > p.Done {
		p.Left = p.Elapsed / Millis(played) * Millis(p.Total-p.Done)
	}
	return p, f.changed
}

// follow calls show with the latest progress at each change, at most once an
// interval, until the state is final. It returns ctx's error if that ends first.
func (f *feed) follow(ctx context.Context, interval time.Duration, show func(Progress) error) error {
	for {
		p, changed := f.latest()
		if err := show(p); err != nil || p.State.Final() {
			return err
		}
		pause := time.After(interval)
		if err := wait(ctx, changed); err != nil {
			return err
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
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
	})
}

// Progress is told how many games are done, of how many.
func (f *feed) Progress(done int, total tournament.Total) {
	f.update(func(p *Progress) {
		if f.before < 0 {
			f.before, f.began = done, time.Now() // waiting for the bots does not count
		}
		p.State, p.Message = Running, ""
		p.count(done, total)
	})
}

// count sets how many games are done, and how many there are.
func (p *Progress) count(done int, total tournament.Total) {
	p.Done, p.Total, p.Bound = done, 2*total.Matches, total.Bound
}

// Begun counts a game in progress.
func (f *feed) Begun(tournament.Game) { f.update(func(p *Progress) { p.Playing++ }) }

// Played counts a ply.
func (f *feed) Played(tournament.Game, tournament.Ply) { f.update(func(p *Progress) { p.Plies++ }) }

// Ended counts a game that is no longer in progress.
func (f *feed) Ended(tournament.Game) { f.update(func(p *Progress) { p.Playing-- }) }
