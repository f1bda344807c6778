package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

// events are the pages of events.
type events struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
	games   *gameLists
	watched *live.States[*eventState]
}

// eventPage is the page of an event.
type eventPage struct {
	eventState
	Line      archive.Line
	Event     *tournament.Event
	Facts     []fact
	Command   string
	TOML      string
	Stats     *archive.Statistics // nil while they are computed the first time
	Old       bool                // the event is over, and Stats has fewer games
	Table     *drawing.Matrix
	Bars      []drawing.Bar
	Curve     *drawing.Curve
	Report    string // the lines that testers of engines know
	Games     gamesView
	Voided    []results.VoidedMatch
	Joinable  bool // bots may join and leave now
	Present   []string
	Connected []string // bots that could join
}

// fact is a line about an event's settings.
type fact struct{ Label, Text string }

// lineIn returns the event in a request's path.
func lineIn(r *http.Request, all *archive.Archive) (archive.Line, error) {
	id, err := numberIn(r, "id", "event")
	if err != nil {
		return archive.Line{}, err
	}
	return all.Line(r.Context(), id)
}

// eventIn returns the event in a request's path with its computed figures.
func (e *events) eventIn(r *http.Request) (archive.Event, error) {
	id, err := numberIn(r, "id", "event")
	if err != nil {
		return archive.Event{}, err
	}
	return e.archive.Event(r.Context(), id, e.archive.Patience)
}

func (e *events) page(r *http.Request) (*eventPage, error) {
	x, err := e.eventIn(r)
	if err != nil {
		return nil, err
	}
	page := &eventPage{Line: x.Line, Event: &x.Event, Facts: factsOf(&x.Event), TOML: recipe.TOML(x.Event), Stats: x.Statistics}
	page.eventState = e.stateOf(&x)
	server := "" // set if bots connect to the arena by themselves
	if slices.ContainsFunc(x.Event.Entries, func(entry tournament.Entry) bool { return entry.Spec == "" }) {
		server = origin(r)
	}
	page.Command = recipe.Command(x.Event, server)
	if page.Games, err = e.games.view(r, &x.Event, &x.Line); err != nil {
		return nil, err
	}
	if page.Voided, err = e.store.Voided(r.Context(), x.Event.ID); err != nil {
		return nil, err
	}
	if x.Statistics != nil {
		page.take(x.Statistics)
		page.Old = page.State.Final() && x.Statistics.Finished < page.Done
	}
	page.steering(e.arena.Bots())
	return page, nil
}

func (p *eventPage) view() view {
	return view{refresh: p.Stats == nil || p.Old, Title: p.Event.Name, Section: "events", Modules: []string{"event.js"}, Body: p}
}

// take adds the figures of the event's statistics.
func (p *eventPage) take(stats *archive.Statistics) {
	p.Table, p.Bars, p.Curve = drawing.NewMatrix(&stats.Crosstable), drawing.Bars(&stats.Ratings), drawing.NewCurve(stats.Standings.Test, stats.Curve)
	if len(stats.HeadToHeads) == 1 {
		p.Report = stats.HeadToHeads[0].Report(stats.Standings.Test)
	}
}

// steering adds the bots that an operator can let join or leave.
func (p *eventPage) steering(connected []server.BotInfo) {
	p.Joinable = format.Name(p.Event.Settings.Plan) == tournament.Ladder && !p.State.Final()
	for _, entry := range p.Event.Entries {
		if p.Event.Present(entry.Name) {
			p.Present = append(p.Present, entry.Name)
		}
	}
	for _, b := range connected {
		if b.Event == 0 && !slices.Contains(p.Present, b.Name) {
			p.Connected = append(p.Connected, b.Name)
		}
	}
}

// factsOf lists an event's settings in words, without the settings that have their usual values.
func factsOf(e *tournament.Event) (all []fact) {
	for _, s := range tournament.AllSettings() {
		if text := s.InWords(e); text != "" {
			all = append(all, fact{s.Noun(), plain.Line(text)})
		}
	}
	return all
}

// eventState is the part of an event that changes while it is played. Every message of its stream has it whole.
type eventState struct {
	Event   int64            `json:"event"`
	State   server.State     `json:"state"`
	Message string           `json:"message,omitempty"`
	Series  bool             `json:"series,omitempty"` // it waits for its time, and is repeated
	Done    int              `json:"done"`
	Total   int              `json:"total"`
	Bound   tournament.Bound `json:"bound,omitempty"`
	Playing int              `json:"playing"`
	Left    server.Millis    `json:"left_ms,omitempty"`
	Columns []string         `json:"columns"`
	Places  []placeRow       `json:"places"`
	Test    *testRow         `json:"test,omitempty"`
	Away    []server.AwayBot `json:"away,omitempty"`
	Faults  int              `json:"faults"`
	// Unchecked are the bots that play on workers without comparison.
	Unchecked []server.UncheckedBot `json:"unchecked,omitempty"`
	Finished  []results.Listed      `json:"finished,omitempty"` // the last games, the latest first
}

// placeRow is a bot's row of the standings on the page.
type placeRow struct {
	Place  int      `json:"place"` // 0 before any result
	Name   string   `json:"name"`
	Played int      `json:"played"`
	Values []string `json:"values"`
	Elo    string   `json:"elo,omitempty"` // with its interval, as of the last statistics
}

// testRow is the state of an sprt's test on the page.
type testRow struct {
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Trials  int     `json:"trials"`
	Outcome string  `json:"outcome"`
}

// stateOf returns the state of an event: from the arena if it has played the event, otherwise from its statistics.
func (e *events) stateOf(x *archive.Event) eventState {
	line, stats := x.Line, x.Statistics
	now := eventState{Event: line.Event, State: line.State, Done: line.Done, Total: line.Total, Bound: line.Bound, Playing: line.Playing}
	var standings *tournament.Standings
	if stats != nil {
		standings, now.Faults = &stats.Standings, stats.Faulty
	}
	if p, ok := e.arena.Progress(line.Event); ok {
		now.State, now.Message, now.Done, now.Total, now.Bound, now.Playing = p.State, cmp.Or(p.Waits(), p.Message), p.Done, p.Total, p.Bound, p.Playing
		now.Series = p.Queue != nil && !p.Queue.Every.Once()
		now.Left, now.Away, now.Unchecked, standings = p.Left, p.Away, p.Unchecked, p.Standings
		now.Left -= now.Left % server.Millis(time.Second)
		if now.Faults = 0; p.Faults != nil {
			now.Faults = p.Faults.Games
		}
	}
	if standings == nil {
		return now
	}
	now.Columns = standings.Columns
	for _, p := range standings.Places {
		row := placeRow{Place: p.Place, Name: p.Name, Played: p.Played}
		if !standings.Begun() {
			row.Place = 0
		}
		if stats != nil {
			if rated := stats.Rated(p.Name); rated != nil {
				row.Elo = drawing.EloText(rated.Elo)
			}
		}
		for _, v := range p.Values {
			row.Values = append(row.Values, strconv.FormatFloat(v, 'f', decimals(v), 64))
		}
		now.Places = append(now.Places, row)
	}
	if t := standings.Test; t != nil {
		now.Test = &testRow{t.LLR, t.Lower, t.Upper, t.Trials, t.Outcome}
	}
	return now
}

// decimals returns the number of decimals for a standing's value.
func decimals(v float64) int {
	if v == float64(int64(v)) {
		return 0
	}
	return 1
}

// lastShown is how many finished games a message of an event's stream has.
const lastShown = 5

// eventInterval is the shortest time between two messages of an event's stream.
const eventInterval = time.Second

// untilNext returns the time until the next look at an event that is watched. An interrupted event may go on, but
// seldom does so soon.
func untilNext(now server.State, interval time.Duration) time.Duration {
	switch {
	case now == server.Finished:
		return 0
	case now.Final():
		return 5 * time.Second
	}
	return interval
}

// lookAtEvent returns the state of an event with its last finished games, and when to look again.
func (e *events) lookAtEvent(ctx context.Context, id int64, _ *eventState) (*eventState, time.Duration, error) {
	x, err := e.archive.Event(ctx, id, e.archive.Patience)
	if err != nil {
		return nil, 0, err
	}
	now := e.stateOf(&x)
	now.Finished, _, err = e.store.List(ctx, results.Listing{Event: id, Finished: true, Order: results.ByMatch, Reverse: true, Limit: lastShown, Known: max(1, now.Done)})
	return &now, untilNext(now.State, eventInterval), err
}

func (e *events) sendEventLive(w http.ResponseWriter, r *http.Request) error {
	return stream(w, r, e.archive, e.watched.Follow)
}

// stream streams the event in a request's path with follow.
func stream(w http.ResponseWriter, r *http.Request, all *archive.Archive, follow func(ctx context.Context, to *live.Stream, event int64, seen string) error) error {
	line, err := lineIn(r, all)
	if err != nil {
		return err
	}
	to, err := live.NewStream(w, r)
	if err == nil {
		_ = follow(r.Context(), to, line.Event, live.Seen(r)) // the watcher is gone
	}
	return nil
}

// statisticsAnswer has all figures that are computed from an event's matches.
type statisticsAnswer struct {
	report.Statistics
	Rules    string                         `json:"rules"`
	Size     string                         `json:"size"`
	Finished int                            `json:"finished"` // number of games at the time of the computation
	Tiles    map[string][]archive.TileCount `json:"largest_tiles"`
	Curve    []drawing.CurvePoint           `json:"curve,omitempty"`
	Faults   []results.Listed               `json:"faults"`
}

func (e *events) sendStatistics(w http.ResponseWriter, r *http.Request) error {
	x, err := e.eventIn(r)
	if err != nil {
		return err
	}
	stats := x.Statistics
	if stats == nil || x.Line.State.Final() && stats.Finished < x.Line.Done {
		w.Header().Set("Retry-After", "1")
		return &problem{status: http.StatusServiceUnavailable, title: "The statistics are being computed", advice: "Ask again in a second."}
	}
	answer := statisticsAnswer{stats.Statistics, x.Line.Rules, x.Line.Size, stats.Finished, map[string][]archive.TileCount{}, stats.Curve, append([]results.Listed{}, stats.Faults...)}
	for bot := range stats.Tiles {
		answer.Tiles[bot] = stats.TilesOf(bot)
	}
	return sendJSON(tagged{w}, r, answer)
}

// steer returns the handler of a button that changes an event with do.
func steer(do func(ctx context.Context, event int64) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := numberIn(r, "id", "event")
		if err == nil {
			err = do(r.Context(), id)
		}
		if err != nil {
			return err
		}
		http.Redirect(w, r, fmt.Sprintf("/events/%d", id), http.StatusSeeOther)
		return nil
	}
}

// lineup returns the handler of a form that changes a bot of an event with do.
func lineup(do func(ctx context.Context, event int64, bot string) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return steer(func(ctx context.Context, event int64) error {
			bot := strings.TrimSpace(r.PostFormValue("bot"))
			if bot == "" {
				return wrong("Which bot?", "Go back and name one.")
			}
			return do(ctx, event, bot)
		})(w, r)
	}
}
