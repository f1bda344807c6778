package web

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"

	"versus2048/internal/text/plain"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// pairs are the pages of two bots against each other.
type pairs struct {
	pages    *pages
	store    *results.Store
	archive  *archive.Archive
	meetings *archive.Figures[meetingKey, *meeting]
}

func newPairs(pages *pages, store *results.Store, all *archive.Archive) *pairs {
	return &pairs{pages, store, all, archive.NewFigures(all, mostMet, (*meeting).weight, func(ctx context.Context, key meetingKey) (*meeting, error) {
		return meet(ctx, store, key)
	})}
}

// pairPage is the history of two bots against each other.
type pairPage struct {
	First    string        `json:"first"`
	Second   string        `json:"second"`
	Variants []pairVariant `json:"variants"` // the rules and sizes that they have met under
	Events   []pairEvent   `json:"events"`   // the latest first
	Matches  []pairMatch   `json:"matches"`  // the latest first
	Total    int           `json:"total"`    // matches
	Pager    pager         `json:"-"`
}

// pairVariant is the results of two bots under the same rules, in all events. Other rules are another game: the
// strengths there may be very different.
type pairVariant struct {
	Rules    string           `json:"rules"`
	Size     string           `json:"size"`
	Tally    tournament.Tally `json:"matches"`
	Verdict  string           `json:"verdict"` // the strength in words
	Elo      *report.Interval `json:"elo"`     // null before the first match
	Margin   float64          `json:"mean_difference"`
	Margins  int              `json:"difference_matches"` // number of matches in that mean
	Repeated int              `json:"repeated"`

	counts sample
}

type pairEvent struct {
	archive.Line
	Tally tournament.Tally `json:"matches"`
}

// pairMatch is one match, from the first bot's side.
type pairMatch struct {
	Event  int64   `json:"event"`
	Match  int     `json:"match"`
	Points float64 `json:"points"`
	Scores [2]int  `json:"scores"` // of the first and the second bot as defender
	By     string  `json:"by"`
	Games  []int64 `json:"games"`
	Text   string  `json:"-"`
}

// sample counts matches for the strength of the first bot, without matches that repeat earlier ones move by move.
type sample struct {
	result   rating.Result // as report.Trials counts it, event by event
	unpaired bool          // an event has no pairs of matches
	margins  int           // number of matches in sum
	sum      int           // of the differences between the scores
}

// plus adds the matches of another event.
func (c *sample) plus(other *sample) {
	c.result = c.result.Plus(other.result)
	c.unpaired = c.unpaired || other.unpaired
	c.margins += other.margins
	c.sum += other.sum
}

// elo returns the first bot's Elo: by pairs of matches, as on the page of an event, if every event has pairs. It
// returns false if no match counts.
func (c *sample) elo() (rating.Interval, bool) {
	if c.unpaired {
		return rating.Elo(c.result.Matches)
	}
	return rating.Elo(c.result.Counts())
}

// matchesAPage is the number of matches on a page of two bots.
const matchesAPage = 50

func (p *pairPage) view() view {
	return view{Title: fmt.Sprintf("%s against %s", p.First, p.Second), Body: p}
}

func (p *pairs) page(r *http.Request) (*pairPage, error) {
	page := &pairPage{First: r.PathValue("a"), Second: r.PathValue("b"), Variants: []pairVariant{}, Events: []pairEvent{}, Matches: []pairMatch{}}
	others, err := p.store.EventsOf(r.Context(), page.Second)
	if err != nil {
		return nil, err
	}
	common, err := p.store.EventsOf(r.Context(), page.First)
	if err != nil {
		return nil, err
	}
	common = slices.DeleteFunc(common, func(id int64) bool { return !slices.Contains(others, id) })
	if page.First == page.Second || len(common) == 0 {
		return nil, notFound("These bots have not met", "No event has had both of them. The page of a bot lists its opponents.")
	}
	for _, id := range common {
		if err := p.addMeeting(r.Context(), page, id); err != nil {
			return nil, err
		}
	}
	slices.Reverse(page.Events)
	slices.Reverse(page.Matches)
	for i := range page.Variants {
		page.Variants[i].judge(page.First, page.Second)
	}
	page.Total = len(page.Matches)
	if page.Pager, err = pagerOf(r, "offset", page.Total, matchesAPage); err != nil {
		return nil, err
	}
	page.Matches = page.Matches[page.Pager.Offset:page.Pager.Last]
	return page, nil
}

// meetingKey names two bots in an event.
type meetingKey struct {
	event         int64
	first, second string
}

// meeting is the results of two bots in an event, from the first one's side.
type meeting struct {
	Matches  []pairMatch // matches that count, by number
	Tally    tournament.Tally
	Repeated int
	counts   sample
}

// mostMet is the largest number of matches in all kept meetings, roughly; a match has some 120 bytes.
const mostMet = 200_000

func (m *meeting) weight() int { return len(m.Matches) }

// meet computes a meeting from the database.
func meet(ctx context.Context, store *results.Store, key meetingKey) (*meeting, error) {
	e, err := store.Event(ctx, key.event)
	if err != nil {
		return nil, err
	}
	matches, err := store.Encounters(ctx, e, key.first, key.second)
	if err != nil {
		return nil, err
	}
	return newMeeting(&e, matches, key), nil
}

// newMeeting computes a meeting from the matches that count, by number.
func newMeeting(e *tournament.Event, matches []results.Encounter, key meetingKey) *meeting {
	all, trials := &meeting{}, report.NewTrials(key.first)
	var seen tournament.Repeats
	for i := range matches {
		m := e.Settings.Adjudication.Judge(matches[i].MatchResult)
		all.Tally.Add(m, key.first)
		trials.Add(m)
		if m.Scored() && !seen.Add(m) {
			all.counts.margins++
			all.counts.sum += m.Margin(key.first)
		}
		points := m.Points(key.first)
		all.Matches = append(all.Matches, pairMatch{
			key.event, m.Match, points, [2]int{m.Defence(key.first).Score, m.Defence(key.second).Score}, string(m.By), matches[i].Games, drawing.PointsText(points),
		})
	}
	all.counts.result, _ = trials.Result()
	all.counts.unpaired = all.counts.result.Pairs == rating.Pentanomial{}
	all.Repeated = trials.Repeated()
	return all
}

// addMeeting adds the results of the two bots in an event.
func (p *pairs) addMeeting(ctx context.Context, page *pairPage, id int64) error {
	line, err := p.archive.Line(ctx, id)
	if err != nil {
		return err
	}
	met, err := p.meetings.Await(ctx, meetingKey{id, page.First, page.Second}, line.Played())
	if err != nil || len(met.Matches) == 0 {
		return err
	}
	variant := page.variant(line.Rules, line.Size)
	variant.counts.plus(&met.counts)
	variant.Repeated += met.Repeated
	variant.Tally = variant.Tally.Plus(met.Tally)
	page.Matches = append(page.Matches, met.Matches...)
	page.Events = append(page.Events, pairEvent{line, met.Tally})
	return nil
}

// variant returns the results of the bots under these rules on boards of this size. It adds them to the page if they
// are not there.
func (p *pairPage) variant(rules, size string) *pairVariant {
	i := slices.IndexFunc(p.Variants, func(v pairVariant) bool { return v.Rules == rules && v.Size == size })
	if i < 0 {
		p.Variants, i = append(p.Variants, pairVariant{Rules: rules, Size: size}), len(p.Variants)
	}
	return &p.Variants[i]
}

// judge computes the strength of the first bot and describes it in words.
func (v *pairVariant) judge(first, second string) {
	if v.Margins = v.counts.margins; v.Margins > 0 {
		v.Margin = float64(v.counts.sum) / float64(v.Margins)
	}
	elo, ok := v.counts.elo()
	v.Verdict = strengthText(elo, ok, plain.Line(first), plain.Line(second))
	if ok {
		interval := report.IntervalOf(elo)
		v.Elo = &interval
	}
}

// strengthText describes in words which bot is stronger, and by how much.
func strengthText(elo rating.Interval, ok bool, first, second string) string {
	if !ok {
		return "No match is decided yet."
	}
	better, value, low := first, elo.Value, elo.Low
	if elo.Value < 0 {
		better, value, low = second, -elo.Value, -elo.High
	}
	half := elo.HalfWidth()
	switch {
	case math.IsInf(value, 0) && low < 0.5: // "at least 0" would say nothing
		return better + " has won every match; how much stronger it is cannot be said yet."
	case math.IsInf(value, 0):
		return fmt.Sprintf("%s is stronger by at least %.0f Elo: it has won every match.", better, low)
	case math.Round(value) == 0 && !math.IsInf(half, 0):
		return fmt.Sprintf("%s and %s are equally strong, ± %.0f Elo.", first, second, half)
	case low > 0 && math.IsInf(half, 0):
		return fmt.Sprintf("%s is stronger by %.0f Elo, and by at least %.0f.", better, value, low)
	case low > 0:
		return fmt.Sprintf("%s is stronger by %.0f ± %.0f Elo.", better, value, half)
	case math.IsInf(half, 0):
		return fmt.Sprintf("%s is ahead by %.0f Elo, which may be chance.", better, value)
	}
	return fmt.Sprintf("%s is ahead by %.0f ± %.0f Elo, which may be chance.", better, value, half)
}
