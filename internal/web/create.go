package web

import (
	"encoding"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/lines"
	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/words"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/opening"
	"versus2048/tournament/rating"
	"versus2048/tournament/recipe"
)

func (s *Site) createRoutes() []server.Route {
	return []server.Route{
		s.route("GET /new", server.OperateRight, s.showNew),
		s.operate("/new", s.createEvent),
	}
}

// fieldGroup is a part of the form of an event.
type fieldGroup struct {
	Title  string
	Fields []*eventField
	Folded string        // the title of the fields in More
	More   []*eventField // the fields that few events need
}

// Open reports whether the fields in More are shown at once: one of them is filled in, or belongs to the chosen format.
func (g *fieldGroup) Open() bool {
	return slices.ContainsFunc(g.More, func(f *eventField) bool { return f.Value != "" || f.Needed })
}

// eventField is a setting of an event in the form. It has the name of the flag of "arena tournament run".
type eventField struct {
	Name, Label, Help string
	Value             string   // as typed, or the default
	Choices           []string // of a list, nil otherwise
	Check             bool     // on or off
	Many              bool     // several lines
	Of                []string // the formats that have this setting, nil for all
	Needed            bool     // the chosen format is one of Of
	Wrong             bool     // the value cannot be read
	field             func(e *tournament.Event) any
}

// eventForm returns the form with its defaults.
func eventForm() []*fieldGroup {
	var sizes []string
	for _, size := range rules.Sizes() {
		sizes = append(sizes, size.String())
	}
	return []*fieldGroup{
		{Title: "Bots", Fields: []*eventField{
			{Name: "bot", Label: "Bots", Many: true, Help: "one a line: SPEC, NAME=SPEC, or the name of a connected bot", field: func(e *tournament.Event) any { return &e.Bots }},
			{Name: "name", Label: "Name of the event", Help: "empty: the bots", field: func(e *tournament.Event) any { return &e.Name }},
		}},
		{Title: "Format", Fields: []*eventField{
			{Name: "format", Label: "Format", Choices: format.Names(), Value: format.RoundRobin, field: func(e *tournament.Event) any { return &e.Settings.Plan.Kind }},
			{Name: "matches", Label: "Matches of each pairing", Help: "two games each; empty: the format's usual number", field: func(e *tournament.Event) any { return &e.Matches }},
		}, Folded: "For one format only", More: []*eventField{
			{Name: "seeds", Label: "Gauntlet: seeds", Help: "how many of the first bots meet all others", Of: []string{format.Gauntlet}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Seeds }},
			{Name: "seeds-attack", Label: "Gauntlet: seeds attack first", Check: true, Of: []string{format.Gauntlet}, field: func(e *tournament.Event) any { return &e.Settings.Plan.SeedsAttack }},
			{Name: "rounds", Label: "Swiss: rounds", Help: "empty: enough to find a winner, plus one", Of: []string{format.Swiss}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Rounds }},
			{Name: "within", Label: "Placement: Elo", Help: "until the interval of the first bot's rating is that narrow to each side; empty: 50", Of: []string{format.Placement}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Within }},
			{Name: "ahead", Label: "Ladder, sprt, placement: matches ahead", Help: "that may begin before one is decided", Of: []string{format.Ladder, format.SPRT, format.Placement}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Ahead }},
			{Name: "open", Label: "Ladder: open to", Choices: []string{"", string(tournament.OpenTokens), string(tournament.OpenAll)}, Help: "bots that connect join by themselves: all, or those with a token", Of: []string{format.Ladder}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Open }},
			{Name: "most", Label: "Open ladder: bots at most", Help: "that it may ever have; empty: 200", Of: []string{format.Ladder}, field: func(e *tournament.Event) any { return &e.Settings.Plan.Most }},
			{Name: "sprt", Label: "Sprt: hypotheses", Help: "elo0=0,elo1=5,alpha=0.05,beta=0.05", Of: []string{format.SPRT}, field: func(e *tournament.Event) any { return &e.Settings.Plan.SPRT }},
		}},
		{Title: "Board", Fields: []*eventField{
			{Name: "rules", Label: "Rules", Choices: []string{"gpcc2015", "gpcc2016", "solo"}, Value: "gpcc2015", field: func(e *tournament.Event) any { return &e.Rules }},
			{Name: "size", Label: "Board", Choices: sizes, Value: "4x4", field: func(e *tournament.Event) any { return &e.Size }},
			{Name: "openings", Label: "Openings", Help: "random:plies=8,seed=1, or none; empty: none, but for an sprt random:plies=8", field: func(e *tournament.Event) any { return &e.Settings.Openings.Source }},
			{Name: "seed", Label: "Seed", Value: "1", Help: "of all random choices", field: func(e *tournament.Event) any { return &e.Seed }},
		}},
		{Title: "Clock", Fields: []*eventField{
			{Name: "time-per-move", Label: "Time for a move", Value: "5s", Help: "such as 500ms or 5s; 0 for no limit", field: func(e *tournament.Event) any { return &e.Clock.PerMove }},
			{Name: "time", Label: "Time for a game", Help: "of each side, such as 5m", field: func(e *tournament.Event) any { return &e.Clock.Base }},
			{Name: "increment", Label: "Increment", Help: "added after each move, such as 2s", field: func(e *tournament.Event) any { return &e.Clock.Increment }},
		}, Folded: "Limits of a search, late moves", More: []*eventField{
			{Name: "playouts", Label: "Playouts for each move", Help: "of bots that make playouts", field: func(e *tournament.Event) any { return &e.Settings.Budget.Playouts }},
			{Name: "nodes", Label: "Most positions of a search", Help: "of bots that keep positions", field: func(e *tournament.Event) any { return &e.Settings.Budget.Nodes }},
			{Name: "margin", Label: "Margin", Help: "how much later a move still counts", field: func(e *tournament.Event) any { return &e.Settings.Lenience.Margin }},
			{Name: "lag", Label: "Lag given back", Help: "at most, for each move", field: func(e *tournament.Event) any { return &e.Settings.Lenience.Lag }},
		}},
		{Title: "How games end", Folded: "Limits, resigning, faults", More: []*eventField{
			{Name: "max-turns", Label: "End games after turns", field: func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTurns }},
			{Name: "max-tile", Label: "End games at the tile", field: func(e *tournament.Event) any { return &e.Settings.Adjudication.MaxTile }},
			{Name: "absent", Label: "Absent at most", Help: "such as 10m; then a bot that is away loses its games; empty: when no others are left to play", field: func(e *tournament.Event) any { return &e.Settings.Absent }},
			{Name: "strikes", Label: "Faults that set a bot aside", field: func(e *tournament.Event) any { return &e.Settings.Strikes.Faults }},
			{Name: "struck-games", Label: "Games of such a bot", Choices: []string{"", "count", "void"}, field: func(e *tournament.Event) any { return &e.Settings.Strikes.Games }},
			{Name: "early-decision", Label: "End decided matches early", Check: true, field: func(e *tournament.Event) any { return &e.Settings.Adjudication.EarlyDecision }},
			{Name: "resign", Label: "Bots may resign", Check: true, field: func(e *tournament.Event) any { return &e.Settings.Adjudication.Resign }},
		}},
		{Title: "Playing and records", Fields: []*eventField{
			{Name: "concurrency", Label: "Games at once", Value: "2", field: func(e *tournament.Event) any { return &e.Concurrency }},
			{Name: "in-process", Label: "Play inside the arena's process", Check: true, field: func(e *tournament.Event) any { return &e.InProcess }},
			{Name: "search", Label: "Record search reports", Check: true, field: func(e *tournament.Event) any { return &e.Search }},
			{Name: "live-search", Label: "Show them during the game", Check: true, field: func(e *tournament.Event) any { return &e.Settings.LiveSearch }},
		}},
	}
}

// fieldsOf returns all fields of a form.
func fieldsOf(form []*fieldGroup) (all []*eventField) {
	for _, g := range form {
		all = append(append(all, g.Fields...), g.More...)
	}
	return all
}

// set sets the field of an event to the typed text. An empty text leaves the field unchanged.
func (f *eventField) set(e *tournament.Event) (err error) {
	text := strings.TrimSpace(f.Value)
	if text == "" {
		return nil
	}
	switch field := f.field(e).(type) {
	case *[]string:
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				*field = append(*field, line)
			}
		}
	case *string:
		*field = text
	case *tournament.Entrance:
		*field = tournament.Entrance(text)
	case *tournament.StruckGames:
		*field = tournament.StruckGames(text)
	case *bool:
		*field = text == "on"
	case *int:
		*field, err = strconv.Atoi(text)
	case *uint64:
		*field, err = strconv.ParseUint(text, 10, 64)
	case *float64:
		*field, err = strconv.ParseFloat(text, 64)
	case *time.Duration:
		*field, err = time.ParseDuration(text)
	case *tournament.Millis:
		var d time.Duration
		d, err = time.ParseDuration(text)
		*field = tournament.Millis(d)
	case *rating.SPRT:
		*field, err = rating.ParseSPRT(text)
		return err
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(text))
	}
	if err != nil {
		return fmt.Errorf("%s: %.40q is not a value for it", f.Label, text)
	}
	return nil
}

// newPage is the form of an event, with a preview once it is filled in.
type newPage struct {
	Form          []*fieldGroup
	Problem       string
	Ready         bool // the event can be played
	Total         tournament.Total
	Games         int           // 0 for no limit
	Most          time.Duration // the longest time of all games by the event's limits, 0 if there are no limits
	Estimate      archive.Estimate
	About         time.Duration // the estimated time of all games, or of one game if their number has no limit
	Bots          []tournament.Entry
	IsProgram     func(bot string) bool
	Command, TOML string
}

func (s *Site) showNew(w http.ResponseWriter, r *http.Request) error {
	return s.showNewPage(w, r, http.StatusOK, newPage{Form: eventForm()})
}

func (s *Site) showNewPage(w http.ResponseWriter, r *http.Request, status int, page newPage) error {
	return s.showStatus(w, r, status, "new", view{Title: "New event", Section: "new", Body: page})
}

// createEvent shows a preview of the event, or starts it. The typed texts stay in the form.
func (s *Site) createEvent(w http.ResponseWriter, r *http.Request) error {
	page := newPage{Form: eventForm()}
	fields := fieldsOf(page.Form)
	for _, f := range fields {
		f.Value = strings.ReplaceAll(lines.TrimBOM(r.PostFormValue(f.Name)), "\r\n", "\n")
		f.Needed = slices.Contains(f.Of, r.PostFormValue("format"))
	}
	e, err := typedEvent(fields)
	if err == nil {
		err = s.preview(&page, e, r)
	}
	if err == nil && r.PostFormValue("do") == "start" {
		var id int64
		if id, err = s.arena.Start(r.Context(), e); err == nil {
			http.Redirect(w, r, fmt.Sprintf("/events/%d", id), http.StatusSeeOther)
			return nil
		}
	}
	if err != nil {
		page.Problem, page.Ready = err.Error(), false
		return s.showNewPage(w, r, http.StatusBadRequest, page)
	}
	return s.showNewPage(w, r, http.StatusOK, page)
}

// typedEvent returns the event in a form.
func typedEvent(fields []*eventField) (e tournament.Event, err error) {
	recipe.Prepare(&e)
	for _, f := range fields {
		if err := f.set(&e); err != nil {
			f.Wrong = true
			return e, err
		}
	}
	return e, recipe.Complete(&e, opening.LoadDrawn)
}

// preview fills in the preview of the event.
func (s *Site) preview(page *newPage, e tournament.Event, r *http.Request) error {
	if len(e.Bots) < 2 && e.Settings.Plan.Open == tournament.Closed {
		return fmt.Errorf("too few bots (%d): write at least two, one a line", len(e.Bots))
	}
	resolved, err := s.arena.Resolve(e)
	if err != nil {
		return err
	}
	page.IsProgram = resolved.Settings.IsProgram
	page.Ready, page.Bots, page.Total = true, resolved.Entries, format.New(resolved).Total()
	page.Games = 2 * page.Total.Matches
	rounds := (page.Games + e.Concurrency - 1) / e.Concurrency // of games at once
	page.Most = times(rounds, longestGame(e))
	if page.Estimate, err = s.archive.Estimate(r.Context(), resolved); err != nil {
		return err
	}
	if page.Estimate.Unknown == nil {
		page.About = times(max(1, rounds), page.Estimate.Game)
	}
	page.Command, page.TOML = recipe.Command(e, origin(r)), recipe.TOML(e)
	return nil
}

// longestGame returns the longest think time of both sides of a game together, 0 if there is no limit.
func longestGame(e tournament.Event) (longest time.Duration) {
	turns := e.Settings.Adjudication.MaxTurns
	if e.Clock.Base > 0 && (turns > 0 || e.Clock.Increment == 0) {
		longest = times(2, min(e.Clock.Base, words.Century)+times(turns, e.Clock.Increment))
	}
	if moves := times(2*turns, e.Clock.PerMove); moves > 0 && (longest == 0 || moves < longest) {
		longest = moves
	}
	return longest
}

// times returns n times d, at most a century.
func times(n int, d time.Duration) time.Duration {
	if float64(n)*float64(d) >= float64(words.Century) {
		return words.Century
	}
	return time.Duration(n) * d
}
