package archive

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Line is an event in a list.
type Line struct {
	Event   int64            `json:"event"`
	Name    string           `json:"name"`
	Created time.Time        `json:"created"`
	Seed    *uint64          `json:"seed,omitempty"` // nil if the reader must not see it
	Format  string           `json:"format"`
	Rules   string           `json:"rules"`
	Size    string           `json:"size"`
	Bots    []string         `json:"bots"`
	State   server.State     `json:"state"`
	Done    int              `json:"done"`  // finished games
	Total   int              `json:"total"` // games of the whole event; 0 if it has no end
	Bound   tournament.Bound `json:"bound,omitempty"`
	Playing int              `json:"playing"`

	extensions uint64 // the arena's number of extensions when the event was read
	reopened   int64  // the number of times that games of any event had been taken back before the line was made
}

// Played returns the extent of the event's finished games, for [Figures].
func (l *Line) Played() Played { return Played{l.Done, l.reopened, l.State.Ended()} }

// Archive knows all events on record. It reads an event again only after the arena has given any event more matches,
// or voided a match. All other changes are made while this arena plays an event, and the arena reports them.
type Archive struct {
	// Patience is the longest time that a page waits for figures; after that it is shown without them, or with older
	// ones. Set it before the first page is made.
	Patience time.Duration
	// Catalogs are the catalogs of events, for lists of their games.
	Catalogs *Figures[int64, *results.Catalog]

	store   *results.Store
	arena   *server.Server
	reading sync.Mutex // held while all events are read

	places  chan struct{} // for computations, see computations; the catalogs have places of their own
	tallies *Figures[int64, *Statistics]

	mu    sync.Mutex
	known map[int64]Line
	reads map[int64]*eventRead // the reads in progress
}

// eventRead is an event that is being read.
type eventRead struct {
	done chan struct{}
	err  error // valid once done is closed
}

// New returns the archive of a database. The arena is the one that plays its events.
func New(store *results.Store, arena *server.Server) *Archive {
	a := &Archive{Patience: DefaultPatience, store: store, arena: arena, places: computations(), known: map[int64]Line{}, reads: map[int64]*eventRead{}}
	a.tallies = NewFigures(a, mostTallied, func(*Statistics) int { return 1 }, func(ctx context.Context, event int64) (*Statistics, error) {
		return tally(ctx, store, event)
	})
	// Lists do not wait for statistics.
	a.Catalogs = newFigures(computations(), arena.ReadForAll, mostCataloged, (*results.Catalog).Games, store.Catalog)
	return a
}

// All returns all events, the oldest first, and whether it has read them all. It waits at most Patience for events that
// it has not read yet.
func (a *Archive) All(ctx context.Context) (lines []Line, complete bool, err error) {
	done := make(chan error, 1)
	reopened := a.store.Reopened() // before their games are counted
	go func() { done <- a.readAll(context.WithoutCancel(ctx)) }()
	timeout := time.NewTimer(a.Patience)
	defer timeout.Stop()
	select {
	case err = <-done:
		complete = err == nil
	case <-timeout.C:
	}
	for _, p := range a.arena.Events() {
		a.renew(ctx, &p)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.known {
		l.reopened = reopened
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
		if err := a.read(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Line returns an event for a list. It returns a *results.NotFoundError if there is none.
func (a *Archive) Line(ctx context.Context, id int64) (Line, error) {
	reopened := a.store.Reopened() // before its games are counted
	if err := a.read(ctx, id); err != nil {
		return Line{}, err
	}
	if p, ok := a.arena.Latest(id); ok {
		a.renew(ctx, &p)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.known[id]
	l.reopened = reopened
	return l, nil
}

// Event is an event with all its computed figures.
type Event struct {
	Line       Line
	Event      tournament.Event
	Statistics *Statistics // nil while they are computed the first time
	// Later is closed when newer statistics may be known. It is nil if the statistics have all games.
	Later <-chan struct{}
}

// Event returns an event, with its statistics if they are known within the patience. It returns a
// *results.NotFoundError if there is no such event.
func (a *Archive) Event(ctx context.Context, id int64, patience time.Duration) (x Event, err error) {
	if x.Line, err = a.Line(ctx, id); err != nil {
		return x, err
	}
	if x.Event, err = a.store.Event(ctx, id); err != nil {
		return x, err
	}
	x.Statistics, _, err = a.tallies.Soon(ctx, id, x.Line.Played(), patience)
	x.Later = a.tallies.Later(id, x.Line.Played())
	return x, err
}

// Statistics returns the statistics of an event, or nil if they are not known yet. It does not wait: it only begins to
// read the event or, if the event is known, to compute its statistics.
func (a *Archive) Statistics(ctx context.Context, id int64) (*Statistics, error) {
	if a.begin(ctx, id) != nil {
		return nil, nil
	}
	line, err := a.Line(ctx, id)
	if err != nil {
		return nil, err
	}
	stats, ok, err := a.tallies.Soon(ctx, id, line.Played(), 0)
	if !ok {
		return nil, err
	}
	return stats, nil
}

// read reads an event unless it is known.
func (a *Archive) read(ctx context.Context, id int64) error {
	r := a.begin(ctx, id)
	if r == nil {
		return nil
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin begins to read an event, once for all requests that wait for it. It returns nil if the event need not be read:
// it is known, and the arena has made no extension since.
func (a *Archive) begin(ctx context.Context, id int64) *eventRead {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l, known := a.known[id]; known && l.extensions == a.arena.Extensions() {
		return nil
	}
	r := a.reads[id]
	if r == nil {
		r = &eventRead{done: make(chan struct{})}
		a.reads[id] = r
		go a.fetch(context.WithoutCancel(ctx), id, r)
	}
	return r
}

func (a *Archive) fetch(ctx context.Context, id int64, r *eventRead) {
	extensions := a.arena.Extensions()
	p, err := a.store.Progress(ctx, id)
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.err = err; err == nil {
		l := LineOf(&p)
		l.extensions = extensions
		a.known[id] = l
	}
	delete(a.reads, id)
	close(r.done)
}

// renew updates a known event by its progress in the arena, and by the bots that have joined.
func (a *Archive) renew(ctx context.Context, p *server.Progress) {
	a.mu.Lock()
	l, known := a.known[p.Event]
	a.mu.Unlock()
	if !known {
		return
	}
	over := l.State == p.State && p.State.Ended() // then no bot joins or leaves
	l.State, l.Done, l.Total, l.Bound, l.Playing = p.State, p.Done, p.Total, p.Bound, p.Playing
	if (l.Format == tournament.Ladder || l.Format == tournament.Swiss) && !over {
		if e, err := a.store.Event(ctx, p.Event); err == nil { // else as they were
			l.Bots = botsOf(&e)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[p.Event] = l
}

// LineOf returns an event as the database has it, without the arena's knowledge of its progress.
func LineOf(p *results.EventProgress) Line {
	l := Line{
		Event: p.ID, Name: p.Name, Created: p.Created, Seed: &p.Seed, Format: format.Name(p.Settings.Plan), Rules: p.Rules.String(), Size: p.Size.String(),
		Bots: botsOf(&p.Event), State: server.Unfinished, Done: p.Finished, Total: 2 * p.Total.Matches, Bound: p.Total.Bound,
	}
	if p.Over {
		l.State = server.Finished
	}
	return l
}

// botsOf returns the names of all bots of an event, also of bots that have left.
func botsOf(e *tournament.Event) []string {
	bots := make([]string, 0, len(e.Entries))
	for _, entry := range e.Entries {
		bots = append(bots, entry.Name)
	}
	return bots
}

// Interrupted reports whether the event could be resumed.
func (l *Line) Interrupted() bool { return l.State.Ended() && l.State != server.Finished }
