package archive

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"versus2048/arena"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Line is an event as lists show it.
type Line struct {
	Event   int64            `json:"event"`
	Name    string           `json:"name"`
	Created time.Time        `json:"created"`
	Format  string           `json:"format"`
	Rules   string           `json:"rules"`
	Size    string           `json:"size"`
	Bots    []string         `json:"bots"`
	State   arena.State      `json:"state"`
	Done    int              `json:"done"`  // finished games
	Total   int              `json:"total"` // games of the whole event; 0 if it has no end
	Bound   tournament.Bound `json:"bound,omitempty"`
	Playing int              `json:"playing"`
}

// Archive knows all events on record. It reads each of them once: an event changes only while this
// arena plays it, and then the arena tells.
type Archive struct {
	store   *results.Store
	arena   *arena.Server
	tallies *tallies
	reading sync.Mutex // held by whoever reads all

	mu    sync.Mutex
	known map[int64]Line
}

// New returns the archive of a database, from which an arena plays.
func New(store *results.Store, server *arena.Server) *Archive {
	return &Archive{store: store, arena: server, tallies: newTallies(store), known: map[int64]Line{}}
}

// All returns all events, the oldest first, and whether it has read them all. It does not wait long for
// what it has not read yet.
func (a *Archive) All(ctx context.Context) (lines []Line, complete bool, err error) {
	done := make(chan error, 1)
	go func() { done <- a.readAll(context.WithoutCancel(ctx)) }()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case err = <-done:
		complete = err == nil
	case <-timeout.C:
	}
	a.update()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.known {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.Event, b.Event) })
	return lines, complete, err
}

// readAll reads the events that are not known yet.
func (a *Archive) readAll(ctx context.Context) error {
	a.reading.Lock()
	defer a.reading.Unlock()
	ids, err := a.store.EventsAfter(ctx, 0)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := a.read(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Line returns an event as lists show it. It returns a *results.NotFoundError if there is none.
func (a *Archive) Line(ctx context.Context, id int64) (Line, error) {
	if _, err := a.read(ctx, id); err != nil {
		return Line{}, err
	}
	a.update()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[id], nil
}

// Event is an event with everything that is computed of it.
type Event struct {
	Line       Line
	Event      tournament.Event
	Statistics *Statistics // nil while they are computed the first time
}

// Event returns an event. It returns a *results.NotFoundError if there is none.
func (a *Archive) Event(ctx context.Context, id int64) (x Event, err error) {
	if x.Line, err = a.Line(ctx, id); err != nil {
		return x, err
	}
	if x.Event, err = a.store.Event(ctx, id); err != nil {
		return x, err
	}
	x.Statistics, err = a.tallies.of(ctx, x.Event, x.Line.Done)
	return x, err
}

// read reads an event unless it is known.
func (a *Archive) read(ctx context.Context, id int64) (l Line, err error) {
	a.mu.Lock()
	l, known := a.known[id]
	a.mu.Unlock()
	if known {
		return l, nil
	}
	p, err := a.store.Progress(ctx, id)
	if err != nil {
		return l, err
	}
	l = lineOf(&p)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[id] = l
	return l, nil
}

// update takes over what the arena says of the events that it has played.
func (a *Archive) update() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.arena.Events() {
		if l, known := a.known[p.Event]; known {
			l.State, l.Done, l.Total, l.Bound, l.Playing = p.State, p.Done, p.Total, p.Bound, p.Playing
			a.known[p.Event] = l
		}
	}
}

func lineOf(p *results.EventProgress) Line {
	l := Line{
		Event: p.ID, Name: p.Name, Created: p.Created, Format: format.Name(p.Settings.Plan), Rules: p.Rules.String(), Size: p.Size.String(),
		State: arena.Unfinished, Done: p.Finished, Total: 2 * p.Total.Matches, Bound: p.Total.Bound,
	}
	if p.Over {
		l.State = arena.Finished
	}
	for _, e := range p.Entries {
		l.Bots = append(l.Bots, e.Name)
	}
	return l
}

// Interrupted reports whether the event could be resumed.
func (l *Line) Interrupted() bool { return l.State.Final() && l.State != arena.Finished }
