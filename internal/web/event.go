package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/tournament"
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
	watched *live.States[*eventNews]
}

// eventPage is the page of an event.
type eventPage struct {
	eventState
	Tag        string // of this state in the event's stream
	Line       archive.Line
	Event      *tournament.Event
	Facts      []archive.Fact
	Repeatable bool // the visitor may see the seed; while the event is played, the seed would help an opponent
	Command    string
	TOML       string
	Stats      *archive.Statistics // nil while they are computed the first time
	Old        bool                // the event is over, and Stats lacks some of its games
	Table      *drawing.Matrix
	Bars       []drawing.Bar
	Curve      *drawing.Curve
	Report     string // the lines that testers of engines know, "" unless two bots play the event
	Games      gamesView
	Voided     []results.VoidedMatch
	// Replayable are the matches with faults that an operator may void now. It is nil for other visitors.
	Replayable map[int]bool
}

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
	page := &eventPage{Line: x.Line, Event: &x.Event, Facts: archive.Facts(&x.Event), Stats: x.Statistics}
	if page.Repeatable = x.Line.State.Ended() || server.IsOperator(r.Context()); page.Repeatable {
		page.TOML, page.Command = recipe.TOML(x.Event), repeating(r, &x.Event)
	} else {
		page.Facts = archive.WithoutSeed(page.Facts)
	}
	page.eventState = e.stateOf(&x)
	page.Tag = live.Tag(page.eventState)
	if page.Games, err = e.games.view(r, &x.Event, &x.Line); err != nil {
		return nil, err
	}
	if page.Voided, err = e.store.Voided(r.Context(), x.Event.ID); err != nil {
		return nil, err
	}
	if x.Statistics != nil {
		page.Replayable = e.replayable(r.Context(), x.Event.ID, x.Statistics.Faults)
		page.take(x.Statistics)
		page.Old = page.State.Ended() && x.Statistics.Finished < page.Done
	}
	return page, nil
}

// repeating returns the command that plays an event once more, "" if there is none.
func repeating(r *http.Request, e *tournament.Event) string {
	arena := "" // set if bots connect to it by themselves
	if slices.ContainsFunc(e.Entries, func(entry tournament.Entry) bool { return entry.Spec == "" }) {
		arena = origin(r)
	}
	return recipe.Command(*e, arena)
}

// replayable returns the matches with these faults that can be played again, if an operator asks.
func (e *events) replayable(ctx context.Context, event int64, faults []results.Listed) map[int]bool {
	if !server.IsOperator(ctx) {
		return nil
	}
	all := map[int]bool{}
	for _, g := range faults {
		if !all[g.Match] && e.store.Voidable(ctx, event, g.Match) == nil {
			all[g.Match] = true
		}
	}
	return all
}

func (p *eventPage) view() view {
	about := fmt.Sprintf("An event of versus 2048: %s under %s on %s, %s.", templates.Count(len(p.Line.Bots), "bot"), p.Line.Rules, p.Line.Size, templates.Count(p.Line.Done, "game"))
	return view{
		refresh: p.Stats == nil || p.Old, Title: p.Event.Name, About: about, Picture: fmt.Sprintf("/events/%d/preview.png", p.Line.Event),
		Section: "events", Modules: []string{"event.js"}, Body: p,
	}
}

// take adds the figures of the event's statistics.
func (p *eventPage) take(stats *archive.Statistics) {
	p.Table, p.Bars, p.Curve = drawing.NewMatrix(&stats.Crosstable), drawing.Bars(&stats.Ratings), drawing.NewCurve(stats.Standings.Test, stats.Curve)
	if len(stats.HeadToHeads) == 1 {
		p.Report = stats.HeadToHeads[0].Report(stats.Standings.Test)
	}
}

// eventState is the part of an event's page that changes while it is played.
type eventState struct {
	State     server.State
	Message   string
	Series    bool // the event waits for its time, and is to be repeated
	Done      int
	Total     int
	Bound     tournament.Bound
	Playing   int
	Columns   []string
	Places    []placeRow
	Test      *tournament.TestState // of an sprt, else nil
	Outcome   string                // the winner or the leader in a sentence, "" before any result
	Away      []string              // the names of disconnected bots
	Unchecked []server.UncheckedBot
	Counted   int  // games of the statistics, -1 while they are computed the first time
	Joinable  bool // bots may join now
	Present   []string
	Connected []string // bots that could join
}

// placeRow is a bot's row of the standings on the page.
type placeRow struct {
	Place  int // 0 before any result
	Name   string
	Played int
	Values []string
	Elo    string // with its interval, as of the last statistics
}

// eventNews is a message of an event's stream: the page announces it, and asks for its parts again.
type eventNews struct {
	State server.State `json:"state"`
	Done  int          `json:"done"`

	shown eventState
}

// stateOf returns the state of an event: from the arena if it has the event's run in memory, otherwise from x.
func (e *events) stateOf(x *archive.Event) eventState {
	line, stats := x.Line, x.Statistics
	now := eventState{State: line.State, Done: line.Done, Total: line.Total, Bound: line.Bound, Playing: line.Playing, Counted: -1}
	var standings *tournament.Standings
	if stats != nil {
		standings, now.Counted = &stats.Standings, stats.Finished
	}
	if p, ok := e.arena.Progress(line.Event); ok {
		now.State, now.Message, now.Done, now.Total, now.Bound, now.Playing = p.State, cmp.Or(p.Waits(), p.Message), p.Done, p.Total, p.Bound, p.Playing
		now.Series = p.Queue != nil && !p.Queue.Every.Once()
		now.Unchecked, standings = p.Unchecked, p.Standings
		for _, b := range p.Away {
			now.Away = append(now.Away, b.Bot)
		}
	}
	now.Joinable = e.arena.Joinable(line.Event)
	now.steering(&x.Event, e.arena.Bots())
	now.Outcome = stats.Outcome(standings, now.State == server.Finished)
	if standings != nil {
		now.Columns, now.Test = standings.Columns, standings.Test
		for _, p := range standings.Places {
			now.Places = append(now.Places, rowOf(p, standings.Begun(), stats))
		}
	}
	return now
}

// rowOf returns a bot's row. begun reports whether there are results, and stats may be nil.
func rowOf(p tournament.Place, begun bool, stats *archive.Statistics) placeRow {
	row := placeRow{Name: p.Name, Played: p.Played}
	if begun {
		row.Place = p.Place
	}
	if stats != nil {
		if rated := stats.Rated(p.Name); rated != nil {
			row.Elo = drawing.EloText(rated.Elo)
		}
	}
	for _, v := range p.Values {
		row.Values = append(row.Values, archive.ValueText(v))
	}
	return row
}

// steering adds the bots that an operator can let join or leave.
func (now *eventState) steering(e *tournament.Event, connected []server.BotInfo) {
	for _, entry := range e.Entries {
		if e.Present(entry.Name) {
			now.Present = append(now.Present, entry.Name)
		}
	}
	for _, b := range connected {
		if now.Joinable && b.Event == 0 && !slices.Contains(now.Present, b.Name) {
			now.Connected = append(now.Connected, b.Name)
		}
	}
}

// eventInterval is the shortest time between two messages of an event's stream.
const eventInterval = time.Second

// lookAtEvent returns the state of an event, and the wait for the next state, nil after the last one.
func (e *events) lookAtEvent(ctx context.Context, id int64, _ *eventNews) (*eventNews, live.Wait, error) {
	changed, bots := e.arena.Changed(id), e.arena.BotsChanged()
	x, err := e.archive.Event(ctx, id, e.archive.Patience)
	if err != nil {
		return nil, nil, err
	}
	shown := e.stateOf(&x)
	now := &eventNews{shown.State, shown.Done, shown}
	if shown.State == server.Finished && x.Later == nil {
		return now, nil, nil
	}
	if !shown.Joinable {
		bots = nil
	}
	return now, live.Until(changed, bots, x.Later), nil
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
	if stats == nil || x.Line.State.Ended() && stats.Finished < x.Line.Done {
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

// again returns the handler of a form that voids a match of an event, so that the match is played again. The operator
// must have ticked a box of the form.
func again(do func(ctx context.Context, event int64, match int) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		return steer(func(ctx context.Context, event int64) error {
			match, err := numberIn(r, "match", "match")
			switch {
			case err != nil:
				return err
			case !isSet(r, "sure"):
				return wrong("Void the match?", "Go back and tick the box: the games of the match will not count any more.")
			}
			return do(ctx, event, int(match))
		})(w, r)
	}
}
