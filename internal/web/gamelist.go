package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// gamesView is a page of an event's games, with the choices for filtering and sorting the list.
type gamesView struct {
	Games   []results.Listed
	Pager   pager
	Bot     string
	Ending  record.Ending
	Order   results.Order
	Reverse bool
	Bots    []string
	Endings []record.Ending
	Columns []column
}

// column is a column of the list of games. Its title is a link to the list sorted by it.
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

func (s *Site) gamesOf(r *http.Request, e *tournament.Event, line *archive.Line) (v gamesView, err error) {
	l, err := listingOf(r, line)
	if err != nil {
		return v, err
	}
	if l.Offset, err = offsetOf(r, "games"); err != nil {
		return v, err
	}
	l.Limit = gamesAPage
	v = gamesView{Bot: l.Bot, Ending: l.Ending, Order: l.Order, Reverse: l.Reverse, Endings: record.Endings(), Columns: columnsOf(r, &l)}
	var total int
	if v.Games, total, err = s.listed(r.Context(), l, line); err != nil {
		return v, err
	}
	for _, entry := range e.Entries {
		v.Bots = append(v.Bots, entry.Name)
	}
	v.Pager, err = pagerOf(r, "games", total, gamesAPage)
	return v, err
}

// firstPages is how many games of an event are listed in the order of its matches without its catalog: the database has
// that order.
const firstPages = 1000

// listed returns a page of an event's games, and the number of games on all pages.
func (s *Site) listed(ctx context.Context, l results.Listing, line *archive.Line) (games []results.Listed, total int, err error) {
	if plain := l.Order == results.ByMatch && !l.Reverse && l.Bot == "" && l.Ending == "" && !l.Faults; plain && l.Offset < firstPages {
		c, ok, err := s.archive.Catalog(ctx, line, 0)
		if ok && l.Known == 0 {
			l.Known = max(c.Games(), line.Done+line.Playing) // the catalog may be older
		}
		if err != nil {
			return nil, 0, err
		}
		return s.store.List(ctx, l)
	}
	c, err := s.archive.AwaitCatalog(ctx, line)
	if err != nil {
		return nil, 0, err
	}
	ids, total := c.Select(l)
	games, err = s.store.Listed(ctx, ids)
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
		for _, key := range []string{"bot", "ending"} {
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

// sendGames answers with a page of an event's games.
func (s *Site) sendGames(w http.ResponseWriter, r *http.Request) error {
	answer, err := s.gamesFrom(r)
	if err != nil {
		return err
	}
	return sendTagged(w, r, answer)
}

// sendAllGames answers with the latest games of all events, also of voided matches. The request may select some of
// them. The next page has the games before a number.
func (s *Site) sendAllGames(w http.ResponseWriter, r *http.Request) error {
	l := results.Listing{Bot: r.FormValue("bot"), Ending: record.Ending(r.FormValue("ending")), Voided: true, Order: results.ByStart, Reverse: true, Known: 1}
	for key, number := range map[string]*int64{"event": &l.Event, "before": &l.Before} {
		if r.FormValue(key) == "" {
			continue
		}
		var err error
		if *number, err = numberIn(r, key, map[string]string{"event": "event", "before": "game"}[key]); err != nil {
			return err
		}
	}
	if l.Ending != "" && !slices.Contains(record.Endings(), l.Ending) {
		return wrong("No game ends like that", "Leave out the ending, or give one that docs/RECORDS.md lists.")
	}
	limit, err := offsetOf(r, "limit")
	if err != nil {
		return err
	}
	if l.Limit = limit; limit == 0 || limit > mostListed {
		l.Limit = mostListed
	}
	turn, err := s.arena.Read(r) // the search for a bot's few games may read all
	if err != nil {
		return tooMany(err)
	}
	defer turn.End()
	if l.Event != 0 {
		if _, err := s.store.Event(r.Context(), l.Event); err != nil {
			return err
		}
	}
	games, _, err := s.store.List(r.Context(), l)
	if err != nil {
		return err
	}
	return sendJSON(w, r, map[string]any{"games": append([]results.Listed{}, games...)})
}

// showGames answers with the page of gamesFrom as rows of the list on the event's page.
func (s *Site) showGames(w http.ResponseWriter, r *http.Request) error {
	answer, err := s.gamesFrom(r)
	if err != nil {
		return err
	}
	return s.showPart(w, r, "event", "games", answer)
}

// gamesFrom returns the page of an event's games for a program or a module.
func (s *Site) gamesFrom(r *http.Request) (answer gamesAnswer, err error) {
	line, err := s.lineIn(r)
	if err != nil {
		return answer, err
	}
	l, err := listingOf(r, &line)
	if err != nil {
		return answer, err
	}
	if l.Offset, err = offsetOf(r, "offset"); err != nil {
		return answer, err
	}
	if l.Limit, err = offsetOf(r, "limit"); err != nil {
		return answer, err
	}
	if l.Limit == 0 || l.Limit > mostListed {
		l.Limit = mostListed
	}
	games, total, err := s.listed(r.Context(), l, &line)
	return gamesAnswer{total, l.Offset, append([]results.Listed{}, games...)}, err
}
