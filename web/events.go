package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"versus2048/arena"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func (s *Site) eventsRoutes() []arena.Route {
	return []arena.Route{
		s.look("/events", s.showEvents),
		s.look("/api/events/recorded", s.sendEvents),
	}
}

// eventLine is an event as lists show it.
type eventLine struct {
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

// archive knows all events on record. It reads each of them once: an event changes only while this
// arena plays it, and then the arena tells.
type archive struct {
	store   *results.Store
	arena   *arena.Server
	reading sync.Mutex // held by whoever reads all

	mu    sync.Mutex
	known map[int64]eventLine
}

// all returns all events, the oldest first, and whether it has read them all. It does not wait long for
// what it has not read yet.
func (a *archive) all(ctx context.Context) (lines []eventLine, complete bool, err error) {
	done := make(chan error, 1)
	go func() { done <- a.readAll(context.WithoutCancel(ctx)) }()
	timeout := time.NewTimer(tallyPatience)
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
	slices.SortFunc(lines, func(a, b eventLine) int { return cmp.Compare(a.Event, b.Event) })
	return lines, complete, err
}

// readAll reads the events that are not known yet.
func (a *archive) readAll(ctx context.Context) error {
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

// one returns an event. It returns a *results.NotFoundError if there is none.
func (a *archive) one(ctx context.Context, id int64) (eventLine, error) {
	if _, err := a.read(ctx, id); err != nil {
		return eventLine{}, err
	}
	a.update()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[id], nil
}

// read reads an event unless it is known.
func (a *archive) read(ctx context.Context, id int64) (l eventLine, err error) {
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
func (a *archive) update() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.arena.Events() {
		if l, known := a.known[p.Event]; known {
			l.State, l.Done, l.Total, l.Bound, l.Playing = p.State, p.Done, p.Total, p.Bound, p.Playing
			a.known[p.Event] = l
		}
	}
}

func lineOf(p *results.EventProgress) eventLine {
	l := eventLine{
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

// interrupted reports whether the event could be resumed.
func (l *eventLine) interrupted() bool { return l.State.Final() && l.State != arena.Finished }

// eventFilter is what a visitor looks for in the list of events.
type eventFilter struct {
	Name, State, Format, Variant, Bot string
}

func filterOf(r *http.Request) eventFilter {
	return eventFilter{r.FormValue("name"), r.FormValue("state"), r.FormValue("format"), r.FormValue("variant"), r.FormValue("bot")}
}

// states are what the list can be filtered by; each stands for the states of an arena.
var states = []string{"being played", "finished", "interrupted"}

func (f *eventFilter) selects(l *eventLine) bool {
	contains := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	state := map[string]bool{"": true, "being played": !l.State.Final(), "finished": l.State == arena.Finished, "interrupted": l.interrupted()}
	return state[f.State] && contains(l.Name, f.Name) && (f.Format == "" || f.Format == l.Format) &&
		(f.Variant == "" || f.Variant == l.Rules+" "+l.Size) &&
		(f.Bot == "" || slices.ContainsFunc(l.Bots, func(bot string) bool { return contains(bot, f.Bot) }))
}

// eventsPage is the list of events.
type eventsPage struct {
	Filter   eventFilter
	States   []string
	Formats  []string
	Variants []string // rules and size
	Lines    []eventLine
	Reading  bool // not all events have been read yet
	Pager    pager
}

// eventsAPage is how many events a page lists.
const eventsAPage = 50

func (s *Site) showEvents(w http.ResponseWriter, r *http.Request) error {
	page, err := s.eventsPage(r)
	if err != nil {
		return err
	}
	if page.Reading {
		w.Header().Set("Refresh", "1")
	}
	return s.showTagged(w, r, "events", view{Title: "Events", Section: "events", Body: page})
}

// eventsAnswer is a page of the list of events.
type eventsAnswer struct {
	Total  int         `json:"total"`
	Offset int         `json:"offset"`
	Events []eventLine `json:"events"`
}

func (s *Site) sendEvents(w http.ResponseWriter, r *http.Request) error {
	page, err := s.eventsPage(r)
	if err != nil {
		return err
	}
	return sendTagged(w, r, eventsAnswer{page.Pager.Total, page.Pager.Offset, slices.Concat([]eventLine{}, page.Lines)})
}

func (s *Site) eventsPage(r *http.Request) (*eventsPage, error) {
	lines, complete, err := s.archive.all(r.Context())
	if err != nil {
		return nil, err
	}
	page := &eventsPage{Filter: filterOf(r), States: states, Formats: format.Names(), Reading: !complete}
	var selected []eventLine
	for _, l := range slices.Backward(lines) {
		if variant := l.Rules + " " + l.Size; !slices.Contains(page.Variants, variant) {
			page.Variants = append(page.Variants, variant)
		}
		if page.Filter.selects(&l) {
			selected = append(selected, l)
		}
	}
	slices.Sort(page.Variants)
	if page.Pager, err = pagerOf(r, "offset", len(selected), eventsAPage); err != nil {
		return nil, err
	}
	page.Lines = selected[page.Pager.Offset:min(len(selected), page.Pager.Offset+page.Pager.Size)]
	return page, nil
}

// pager is where a page of a list stands in the whole list.
type pager struct {
	Offset, Size, Total int
	First, Last         int    // of the items shown, from 1
	Before, Next        string // addresses, "" if there is no such page
}

// pagerOf reads which page of a list a request asks for, by the number of items before it.
func pagerOf(r *http.Request, key string, total, size int) (pager, error) {
	p := pager{Size: size, Total: total}
	offset, err := offsetOf(r, key)
	if err != nil {
		return p, err
	}
	p.Offset = min(offset, total)
	at := func(offset int) string {
		query := url.Values{}
		for k, v := range r.URL.Query() {
			query[k] = v
		}
		query.Set(key, strconv.Itoa(offset))
		return "?" + query.Encode()
	}
	p.First, p.Last = min(p.Offset+1, total), min(p.Offset+size, total)
	if p.Offset > 0 {
		p.Before = at(max(0, p.Offset-size))
	}
	if p.Last < total {
		p.Next = at(p.Last)
	}
	return p, nil
}
