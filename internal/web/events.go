package web

import (
	"net/http"
	"slices"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/tournament"
)

func (s *Site) eventsRoutes() []server.Route {
	return []server.Route{
		s.page("/events", s.showEvents),
		s.look("/api/events/recorded", s.sendEvents),
	}
}

// eventFilter selects events of the list.
type eventFilter struct {
	Name, State, Format, Variant, Bot string
}

func filterOf(r *http.Request) eventFilter {
	return eventFilter{r.FormValue("name"), r.FormValue("state"), r.FormValue("format"), r.FormValue("variant"), r.FormValue("bot")}
}

// states are the choices of the filter by state; each stands for several states of an arena.
var states = []string{"being played", "queued", "finished", "interrupted"}

func (f *eventFilter) selects(l *archive.Line) bool {
	contains := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	state := map[string]bool{"": true, "being played": !l.State.Final() && !l.State.InQueue(), "queued": l.State.InQueue(), "finished": l.State == server.Finished, "interrupted": l.Interrupted()}
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
	Lines    []archive.Line
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
	Total  int            `json:"total"`
	Offset int            `json:"offset"`
	Events []archive.Line `json:"events"`
	// Reading reports that events are missing which have not been read yet.
	Reading bool `json:"reading,omitempty"`
}

// sendEvents answers without the seeds of events that are played or will be: they would help an opponent.
func (s *Site) sendEvents(w http.ResponseWriter, r *http.Request) error {
	page, err := s.eventsPage(r)
	if err != nil {
		return err
	}
	for i := range page.Lines {
		if l := &page.Lines[i]; !l.State.Final() && !server.IsOperator(r.Context()) {
			l.Seed = nil
		}
	}
	return sendTagged(w, r, eventsAnswer{page.Pager.Total, page.Pager.Offset, append([]archive.Line{}, page.Lines...), page.Reading})
}

func (s *Site) eventsPage(r *http.Request) (*eventsPage, error) {
	lines, complete, err := s.archive.All(r.Context())
	if err != nil {
		return nil, err
	}
	page := &eventsPage{Filter: filterOf(r), States: states, Formats: tournament.Formats(), Reading: !complete}
	var selected []archive.Line
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
