package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// gameLists makes lists of games: of one event, and of all events.
type gameLists struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
}

// gamesView is a page of an event's games, with the choices for filtering and sorting the list.
type gamesView struct {
	results.Listing
	gamesAnswer
	Pager   pager
	Bots    []string
	Endings []record.Ending
	Columns []column
}

// column is a column of the list of games. Its title is a link to the list in the order of this column.
type column struct {
	Title   string
	Order   results.Order
	Number  bool
	Link    string
	Sorted  string // for aria-sort: "ascending", "descending" or ""
	Pointer string // an arrow for Sorted
}

const (
	gamesAPage = 50  // of the list without JavaScript
	mostListed = 500 // in one answer
)

// listingOf reads from a request the filters and the order of a list of an event's games.
func listingOf(r *http.Request, line *archive.Line) (results.Listing, error) {
	l := results.Listing{
		Event: line.Event, Bot: r.FormValue("bot"), Ending: record.Ending(r.FormValue("ending")), Order: results.Order(r.FormValue("sort")),
		Reverse: isSet(r, "reverse"), Faults: isSet(r, "faults"),
	}
	if l.Order == "" {
		l.Order = results.ByMatch
	}
	if !slices.Contains(results.Orders(), l.Order) {
		return l, wrong("Games cannot be sorted by that", "Sort them by one of the columns.")
	}
	if l.Ending != "" && !slices.Contains(record.Endings(), l.Ending) {
		return l, wrong("No game ends like that", "Choose one of the endings of the list.")
	}
	if line.State == server.Finished && l.Bot == "" && l.Ending == "" && !l.Faults {
		l.Known = line.Done
	}
	return l, nil
}

// view returns a page of an event's games with its choices.
func (g *gameLists) view(r *http.Request, e *tournament.Event, line *archive.Line) (v gamesView, err error) {
	l, err := listingOf(r, line)
	if err != nil {
		return v, err
	}
	if l.Offset, err = numberOf(r, "games"); err != nil {
		return v, err
	}
	l.Limit = gamesAPage
	v = gamesView{Listing: l, Endings: record.Endings(), Columns: columnsOf(r, &l)}
	games, total, err := g.listed(r.Context(), l, line)
	if err != nil {
		return v, err
	}
	v.gamesAnswer = gamesAnswer{total, min(l.Offset, total), games}
	for _, entry := range e.Entries {
		v.Bots = append(v.Bots, entry.Name)
	}
	v.Pager, err = pagerOf(r, "games", total, gamesAPage)
	return v, err
}

// firstPages is the number of games that the database lists in the order of an event's matches. Lists of later games,
// and all other lists, need the event's catalog.
const firstPages = 1000

// listed returns a page of an event's games, and the number of games on all pages.
func (g *gameLists) listed(ctx context.Context, l results.Listing, line *archive.Line) (games []results.Listed, total int, err error) {
	if plain := l.Order == results.ByMatch && !l.Reverse && l.Bot == "" && l.Ending == "" && !l.Faults; plain && l.Offset < firstPages {
		c, ok, err := g.archive.Catalogs.Soon(ctx, line.Event, line.Played(), 0)
		if ok && l.Known == 0 {
			l.Known = max(c.Games(), line.Done+line.Playing) // the catalog may be older
		}
		if err != nil {
			return nil, 0, err
		}
		return g.store.List(ctx, l)
	}
	c, err := g.archive.Catalogs.Await(ctx, line.Event, line.Played())
	if err != nil {
		return nil, 0, err
	}
	ids, total := c.Select(l)
	games, err = g.store.Listed(ctx, ids)
	return games, total, err
}

// columnsOf returns the columns of a list of games.
func columnsOf(r *http.Request, l *results.Listing) []column {
	columns := []column{
		{Title: "match", Order: results.ByMatch, Number: true},
		{Title: "game", Order: results.ByStart, Number: true},
		{Title: "defends", Order: results.ByDefence},
		{Title: "attacks", Order: results.ByAttack},
		{Title: "score", Order: results.ByScore, Number: true},
		{Title: "tile", Order: results.ByTile, Number: true},
		{Title: "plies", Order: results.ByPlies, Number: true},
		{Title: "ending", Order: results.ByEnding},
	}
	for i := range columns {
		c := &columns[i]
		query := url.Values{}
		for _, key := range []string{"bot", "ending", "faults"} {
			if value := r.FormValue(key); value != "" {
				query.Set(key, value)
			}
		}
		query.Set("sort", string(c.Order))
		if c.Order == l.Order {
			c.Sorted, c.Pointer = "ascending", "▲"
			if l.Reverse {
				c.Sorted, c.Pointer = "descending", "▼"
			} else {
				query.Set("reverse", "1")
			}
		}
		c.Link = "?" + query.Encode() + "#games"
	}
	return columns
}

// gamesAnswer is a page of a list of games.
type gamesAnswer struct {
	Total  int              `json:"total"`
	Offset int              `json:"offset"`
	Games  []results.Listed `json:"games"`
}

// rowHeight is the height of a row of the list of games in pixels, as in the style sheet and static/gamelist.js.
const rowHeight = 44

// Row returns the number of the row of the i-th of these games in the table with all games. Row 1 has the titles.
func (a gamesAnswer) Row(i int) int { return a.Offset + i + 2 }

// Rows returns the number of rows in the table with all games.
func (a gamesAnswer) Rows() int { return a.Total + 1 }

// Above returns the height of the games before these in pixels.
func (a gamesAnswer) Above() int { return rowHeight * a.Offset }

// Below returns the height of the games after these in pixels.
func (a gamesAnswer) Below() int { return rowHeight * max(0, a.Total-a.Offset-len(a.Games)) }

// allGames are the latest games of all events.
type allGames struct {
	Games []results.Listed `json:"games"`
}

// ofAll returns the latest games of all events, also of voided matches. The request may filter them. A request for
// the next page names the last game of this page in its parameter before.
func (g *gameLists) ofAll(r *http.Request) (answer allGames, err error) {
	l := results.Listing{Bot: r.FormValue("bot"), Ending: record.Ending(r.FormValue("ending")), Voided: true, Order: results.ByStart, Reverse: true, Known: 1}
	for key, number := range map[string]*int64{"event": &l.Event, "before": &l.Before} {
		if r.FormValue(key) == "" {
			continue
		}
		if *number, err = numberIn(r, key, map[string]string{"event": "event", "before": "game"}[key]); err != nil {
			return answer, err
		}
	}
	if l.Ending != "" && !slices.Contains(record.Endings(), l.Ending) {
		return answer, wrong("No game ends like that", "Leave out the ending, or give one that docs/RECORDS.md lists.")
	}
	if l.Limit, err = limitOf(r); err != nil {
		return answer, err
	}
	turn, err := g.arena.Read(r) // the search for a bot's few games may read all
	if err != nil {
		return answer, err
	}
	defer turn.End()
	if l.Event != 0 {
		if _, err := g.store.Event(r.Context(), l.Event); err != nil {
			return answer, err
		}
	}
	games, _, err := g.store.List(r.Context(), l)
	return allGames{append([]results.Listed{}, games...)}, err
}

// limitOf returns the number of games that a request asks for, at most mostListed. A request without a number gets
// mostListed.
func limitOf(r *http.Request) (int, error) {
	limit, err := numberOf(r, "limit")
	if limit == 0 || limit > mostListed {
		limit = mostListed
	}
	return limit, err
}

// ofEvent returns the page of an event's games that a program or a script of a page asks for.
func (g *gameLists) ofEvent(r *http.Request) (answer gamesAnswer, err error) {
	line, err := lineIn(r, g.archive)
	if err != nil {
		return answer, err
	}
	l, err := listingOf(r, &line)
	if err != nil {
		return answer, err
	}
	if l.Offset, err = numberOf(r, "offset"); err != nil {
		return answer, err
	}
	if l.Limit, err = limitOf(r); err != nil {
		return answer, err
	}
	games, total, err := g.listed(r.Context(), l, &line)
	return gamesAnswer{total, l.Offset, append([]results.Listed{}, games...)}, err
}

// eventList is the list of events.
type eventList struct {
	pages   *pages
	archive *archive.Archive
}

// eventFilter selects events of the list.
type eventFilter struct {
	Name, State, Format, Variant, Bot string
}

// states are the choices of the filter by state. Each but finished stands for several states of an event.
var states = []string{"being played", "queued", "finished", "interrupted"}

// check returns an error for a state or a format that no event can have.
func (f *eventFilter) check() error {
	if f.State != "" && !slices.Contains(states, f.State) {
		return wrong(fmt.Sprintf("No event is %.40q", f.State), "Choose one of these states: "+strings.Join(states, ", ")+".")
	}
	if f.Format != "" && !slices.Contains(tournament.Formats(), f.Format) {
		return wrong(fmt.Sprintf("There is no format %.40q", f.Format), "Choose one of these formats: "+strings.Join(tournament.Formats(), ", ")+".")
	}
	return nil
}

func (f *eventFilter) selects(l *archive.Line) bool {
	contains := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	state := map[string]bool{"": true, "being played": !l.State.Ended() && !l.State.InQueue(), "queued": l.State.InQueue(), "finished": l.State == server.Finished, "interrupted": l.Interrupted()}
	return state[f.State] && contains(l.Name, f.Name) && (f.Format == "" || f.Format == l.Format) &&
		(f.Variant == "" || f.Variant == l.Rules+" "+l.Size) &&
		(f.Bot == "" || slices.ContainsFunc(l.Bots, func(bot string) bool { return contains(bot, f.Bot) }))
}

// eventsPage is a page of the list of events, for people.
type eventsPage struct {
	Filter    eventFilter
	States    []string
	Formats   []string
	Variants  []string // rules and size
	Lines     []listedEvent
	Reading   bool // not all events have been read yet
	Computing bool // the outcome of an event is not known yet
	Pager     pager
}

// listedEvent is an event of the list.
type listedEvent struct {
	archive.Line
	Outcome string // the winner or the leader in words, "" while it is not known
}

// eventsAPage is the number of events on a page of the list.
const eventsAPage = 50

func (p *eventsPage) view() view {
	return view{Title: "Events", Section: "events", refresh: p.Reading || p.Computing, Body: p}
}

// eventsAnswer is a page of the list of events.
type eventsAnswer struct {
	Total  int            `json:"total"`
	Offset int            `json:"offset"`
	Events []archive.Line `json:"events"`
	// Reading is true while the list lacks events, because the arena has not read all events yet.
	Reading bool `json:"reading,omitempty"`
}

func (l *eventList) answer(r *http.Request) (answer eventsAnswer, err error) {
	page, err := l.page(r)
	if err != nil {
		return answer, err
	}
	answer = eventsAnswer{page.Pager.Total, page.Pager.Offset, []archive.Line{}, page.Reading}
	for _, e := range page.Lines {
		if !e.State.Ended() && !server.IsOperator(r.Context()) {
			e.Seed = nil // it would help an opponent
		}
		answer.Events = append(answer.Events, e.Line)
	}
	return answer, nil
}

func (l *eventList) page(r *http.Request) (*eventsPage, error) {
	filter := eventFilter{r.FormValue("name"), r.FormValue("state"), r.FormValue("format"), r.FormValue("variant"), r.FormValue("bot")}
	if err := filter.check(); err != nil {
		return nil, err
	}
	lines, complete, err := l.archive.All(r.Context())
	if err != nil {
		return nil, err
	}
	page := &eventsPage{Filter: filter, States: states, Formats: tournament.Formats(), Reading: !complete}
	var selected []archive.Line
	for _, line := range slices.Backward(lines) {
		if variant := line.Rules + " " + line.Size; !slices.Contains(page.Variants, variant) {
			page.Variants = append(page.Variants, variant)
		}
		if page.Filter.selects(&line) {
			selected = append(selected, line)
		}
	}
	slices.Sort(page.Variants)
	if page.Pager, err = pagerOf(r, "offset", len(selected), eventsAPage); err != nil {
		return nil, err
	}
	for _, line := range selected[page.Pager.Offset:min(len(selected), page.Pager.Offset+page.Pager.Size)] {
		page.Lines = append(page.Lines, listedEvent{Line: line})
	}
	return page, nil
}

// show returns the page for people, with the outcomes that are known. While others are missing, the browser asks again.
func (l *eventList) show(r *http.Request) (*eventsPage, error) {
	page, err := l.page(r)
	if err != nil {
		return nil, err
	}
	for i := range page.Lines {
		e := &page.Lines[i]
		stats, err := l.archive.Statistics(r.Context(), e.Event)
		if err != nil {
			return nil, err
		}
		page.Computing = page.Computing || stats == nil && e.Done > 0
		e.Outcome = stats.Outcome(nil, e.State == server.Finished)
	}
	return page, nil
}
