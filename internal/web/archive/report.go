package archive

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode"

	"versus2048/internal/server/budget"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

// Report is the contents of the page about an event.
type Report struct {
	Event   tournament.Event
	Over    bool
	State   string // how far the event is, in a sentence
	Outcome string // the winner or the leader, in a sentence; "" before any result
	Podium  []Place
	Columns []string // titles of the values of all places
	Places  []Place
	Left    int             // the number of bots that Places leaves out
	Matrix  *drawing.Matrix // nil before any result
	Test    string          // the state of an sprt's test, in sentences; "" in other formats and before any result
	Scenes  []Scene
	Faults  []string // sentences
	Facts   []Fact

	extent results.Extent
	secret bool // the report leaves out the command that plays the event once more: the command has the seed
}

// Place is a bot's row of the standings.
type Place struct {
	Rank   int    // its place, from 1; equal bots have the same one
	Place  string // the same in words, such as 1st; "" before any result
	Name   string
	Played int
	Values []string
}

// Fact is a line about an event's settings.
type Fact struct{ Label, Text string }

// Facts lists an event's settings in words. It leaves out usual values, except of settings that are always shown.
func Facts(e *tournament.Event) (all []Fact) {
	for _, s := range tournament.AllSettings() {
		if text := s.InWords(e); text != "" {
			all = append(all, Fact{s.Noun(), plain.Line(text)})
		}
	}
	return all
}

// The longest lists.
const (
	onPodium   = 3
	mostPlaces = 200
)

// NewReport reads an event and returns its report. The artist draws the animations of the best games; with nil there
// are none. While NewReport works for a stranger, others have their turns.
func NewReport(ctx context.Context, store *results.Reader, event int64, artist *drawing.Artist) (*Report, error) {
	progress, err := store.Progress(ctx, event)
	if err != nil {
		return nil, err
	}
	r := &Report{Event: progress.Event, Over: progress.Over}
	collected, err := store.CollectEach(ctx, r.Event, true, func(*tournament.MatchResult, [2]bool) { yield(ctx) })
	if err != nil {
		return nil, err
	}
	stats, err := collected.Statistics(nil)
	if err != nil {
		return nil, err
	}
	if r.extent, err = store.Extent(ctx, event); err != nil {
		return nil, err
	}
	r.tellState(&progress)
	r.rank(&stats)
	r.Facts = append(r.facts(), Facts(&r.Event)...)
	if err := r.addScenes(ctx, store, &stats, artist); err != nil {
		return nil, err
	}
	return r, r.addFaults(ctx, store, stats.Roles)
}

// yield lets others have their turn, if the work is for a stranger. When ctx ends, the reading ends, too.
func yield(ctx context.Context) {
	_ = budget.Of(ctx).Yield(ctx)
}

// Size returns the size of the report in kilobytes, roughly.
func (r *Report) Size() int {
	size := 100
	for _, s := range r.Scenes {
		size += len(s.film) / 1000
	}
	return size
}

func (r *Report) tellState(p *results.EventProgress) {
	games := templates.Count(r.extent.Games, "game")
	switch total := 2 * p.Total.Matches; {
	case r.Over && r.extent.Games == 0:
		r.State = "This event is over, and no game of it was played."
	case r.Over:
		r.State = fmt.Sprintf("This event is over: %s.", games)
	case r.extent.Games == 0:
		r.State = "This event is not over: no game of it is finished so far."
	case total == 0:
		r.State = fmt.Sprintf("This event is not over: %s so far.", games)
	case p.Total.Bound != "":
		r.State = fmt.Sprintf("This event is not over: %s of %s %s games so far.", templates.Number(r.extent.Games), p.Total.Bound, templates.Number(total))
	default:
		r.State = fmt.Sprintf("This event is not over: %s of %s so far.", templates.Number(r.extent.Games), templates.Count(total, "game"))
	}
}

// rank fills in the outcome, the standings, the crosstable and the state of a test.
func (r *Report) rank(stats *report.Statistics) {
	s := &stats.Standings
	var elo *report.Interval
	if len(stats.HeadToHeads) == 1 {
		elo = &stats.HeadToHeads[0].Strength.Elo
	}
	if r.Outcome = live.EventOutcome(s, elo, r.Over); r.Outcome != "" {
		r.Outcome += "."
	}
	r.Columns, r.Left = s.Columns, max(0, len(s.Places)-mostPlaces)
	for _, p := range s.Places[:len(s.Places)-r.Left] {
		r.Places = append(r.Places, placeOf(&p, s.Begun()))
	}
	if !s.Begun() {
		return
	}
	r.Podium, r.Matrix = r.Places[:min(onPodium, len(r.Places))], drawing.NewMatrix(&stats.Crosstable)
	if t := s.Test; t != nil {
		r.Test = fmt.Sprintf("Log likelihood ratio %s after %s. At %s the test passes, at %s it fails: %s.", templates.Number(fmt.Sprintf("%.2f", t.LLR)),
			templates.Count(t.Trials, "trial"), templates.Number(fmt.Sprintf("%.2f", t.Upper)), templates.Number(fmt.Sprintf("%.2f", t.Lower)), t.Outcome)
	}
}

func placeOf(p *tournament.Place, begun bool) Place {
	row := Place{Rank: p.Place, Name: p.Name, Played: p.Played}
	if begun {
		row.Place = templates.Ordinal(p.Place)
	}
	for _, v := range p.Values {
		row.Values = append(row.Values, templates.Number(ValueText(v)))
	}
	return row
}

// ValueText returns a value of the standings with at most one decimal, or with two decimals if it is a multiple of 1/4,
// such as a Sonneborn-Berger score.
func ValueText(v float64) string {
	decimals := 1
	switch {
	case math.Trunc(v) == v:
		decimals = 0
	case math.Abs(math.Mod(v, 0.5)) == 0.25:
		decimals = 2
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// facts returns the facts about the games.
func (r *Report) facts() []Fact {
	x := &r.extent
	all := []Fact{{"bots", templates.Number(len(r.Event.Entries))}, {"games", templates.Number(x.Games)}, {"plies", templates.Number(x.Plies)}}
	if x.Began.IsZero() || x.Ended.IsZero() {
		return all
	}
	const form = "2 January 2006, 15:04 UTC"
	return append(all, Fact{"began", x.Began.UTC().Format(form)}, Fact{"last game", x.Ended.UTC().Format(form)},
		Fact{"duration", templates.Span(max(time.Second, x.Ended.Sub(x.Began)))})
}

// Command returns the command line that plays the event once more, or "" if there is none. link is the address of an
// arena for bots that connect by themselves, or "".
func (r *Report) Command(link string) string {
	if !slices.ContainsFunc(r.Event.Entries, func(e tournament.Entry) bool { return e.Spec == "" }) {
		link = ""
	}
	return plain.Line(recipe.Command(r.Event, link))
}

// WithoutSeed returns the report for readers who may be opponents in an event that is played: the seed would help them.
func (r *Report) WithoutSeed() *Report {
	shown := *r
	shown.secret, shown.Facts = true, WithoutSeed(slices.Clone(r.Facts))
	return &shown
}

// WithoutSeed removes the seed from facts, in place.
func WithoutSeed(facts []Fact) []Fact {
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Label == "seed" })
}

// IsSecret reports whether the report leaves out the command and the file that play the event once more.
func (r *Report) IsSecret() bool { return r.secret }

// TOML returns the file that plays the event once more.
func (r *Report) TOML() string { return plain.Lines(recipe.TOML(r.Event)) }

// fromRight has the letters that are written from right to left.
var fromRight = []*unicode.RangeTable{unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam}

// called returns a bot's name for a sentence: a name that is written from right to left does not change the order of
// the words around it.
func called(name string) string {
	name = plain.Line(name)
	for _, letter := range name {
		if unicode.In(letter, fromRight...) {
			return "\u2068" + name + "\u2069"
		}
	}
	return name
}
