package archive

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"versus2048/internal/server/budget"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// Statistics are the results of an event's decided matches, for all pages about the event.
type Statistics struct {
	report.Statistics
	Finished int                        // number of finished games when the computation began
	Tiles    map[string]map[int]int     // by bot: games as defender by their largest tile
	Careers  map[string]*Career         // by bot
	Faults   []results.Listed           // the first games that a fault ended
	Faulty   int                        // the number of all such games
	Curve    []drawing.CurvePoint       // the course of the test of an sprt
	met      map[string][]int           // by bot: indices of its head-to-heads
	rounds   [][]tournament.MatchResult // the rounds of a swiss, or a ladder's last matches, each of them a round
	swiss    bool
	ladder   bool
}

// Outcome describes the standings of the event in one sentence, "" before any result. now has the present standings
// while the event goes on: they may be newer than the receiver. The receiver and now may be nil.
func (s *Statistics) Outcome(now *tournament.Standings, over bool) string {
	var elo *report.Interval
	if s != nil && len(s.HeadToHeads) == 1 {
		elo = &s.HeadToHeads[0].Strength.Elo
	}
	if now == nil && s != nil {
		now = &s.Standings
	}
	return live.EventOutcome(now, elo, over)
}

// Career is the matches of a bot in an event.
type Career struct {
	Best int                  // its highest score as defender
	Last []tournament.Outcome // outcomes of its last matches, the latest last, as if the bot was the first in each match
}

// lastMatches is the number of a bot's last matches that are kept.
const lastMatches = 10

// add adds a match of the named bot.
func (c *Career) add(m *tournament.MatchResult, name string, scored [2]bool) {
	for leg, summary := range m.Legs {
		if _, defender := m.Roles(leg + 1); scored[leg] && defender == name {
			c.Best = max(c.Best, summary.Score)
		}
	}
	outcome := tournament.Drawn
	switch m.Points(name) {
	case 1:
		outcome = tournament.FirstWins
	case 0:
		outcome = tournament.SecondWins
	}
	if c.Last = append(c.Last, outcome); len(c.Last) > lastMatches {
		c.Last = slices.Delete(c.Last, 0, 1)
	}
}

// Limits of the lists in an event's statistics.
const (
	mostFaults   = 100
	mostPoints   = 400  // on the curve of a test, roughly: up to twice as many are kept
	mostInRounds = 2000 // matches of a swiss, in all rounds together
)

// mostTallied is the limit of the kept statistics: 64 events, since [Figures] counts each event as 2, 1 for the entry
// and 1 for its weight.
const mostTallied = 128

// tally computes the statistics of an event from its database.
func tally(ctx context.Context, store *results.Store, event int64) (*Statistics, error) {
	e, err := store.Event(ctx, event)
	if err != nil {
		return nil, err
	}
	finished, _, err := store.Count(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	kind := format.Name(e.Settings.Plan)
	s := &Statistics{Finished: finished, Tiles: map[string]map[int]int{}, Careers: map[string]*Career{}, swiss: kind == tournament.Swiss, ladder: kind == tournament.Ladder}
	curve := newCurve(e)
	collected, err := store.CollectEach(ctx, e, true, func(m *tournament.MatchResult, scored [2]bool) {
		curve.add(*m)
		judged := e.Settings.Adjudication.Judge(*m)
		s.gather(&judged, scored)
		_ = budget.Of(ctx).Yield(ctx) // when ctx ends, the reading ends, too
	})
	if err != nil {
		return nil, err
	}
	if s.Statistics, err = collected.Statistics(nil); err != nil {
		return nil, err
	}
	s.Curve = curve.all()
	s.meet()
	s.Faults, s.Faulty, err = store.List(ctx, results.Listing{Event: e.ID, Faults: true, Limit: mostFaults})
	return s, err
}

// gather counts the figures that package report does not have.
func (s *Statistics) gather(m *tournament.MatchResult, scored [2]bool) {
	for _, name := range []string{m.First, m.Second} {
		if s.Careers[name] == nil {
			s.Careers[name] = &Career{}
		}
		s.Careers[name].add(m, name, scored)
	}
	for leg, summary := range m.Legs {
		if _, defender := m.Roles(leg + 1); scored[leg] {
			if s.Tiles[defender] == nil {
				s.Tiles[defender] = map[int]int{}
			}
			s.Tiles[defender][summary.LargestTile]++
		}
	}
	if !s.swiss && !s.ladder || s.swiss && m.Match > mostInRounds {
		return
	}
	if n := len(s.rounds); n == 0 || s.rounds[n-1][0].Round != m.Round {
		s.rounds = append(s.rounds, nil)
	}
	last := &s.rounds[len(s.rounds)-1]
	*last = append(*last, *m)
	if s.ladder && len(s.rounds) > lastRounds {
		s.rounds = s.rounds[1:]
	}
}

// lastRounds is the number of rounds that are listed for a ladder, the last ones. Each match of a ladder is a round.
const lastRounds = 20

// Pairings has the ties or matches of a round, or the last matches of a ladder.
type Pairings struct {
	Title   string
	Ties    []tournament.Tie
	Matches []tournament.MatchResult
}

// Pairings returns the rounds of an event, in rows. A double elimination has two rows: the winners' bracket, then the
// losers' bracket with the finals. Any other format has one row, or none.
func (s *Statistics) Pairings() (rows [][]Pairings) {
	switch {
	case s.Standings.Ties != nil:
		return brackets(s.Standings.Ties)
	case s.rounds == nil:
		return nil
	case s.ladder:
		last := slices.Clone(s.rounds)
		slices.Reverse(last)
		return [][]Pairings{{{Title: "last matches", Matches: slices.Concat(last...)}}}
	}
	var row []Pairings
	for _, round := range s.rounds {
		row = append(row, Pairings{Title: fmt.Sprintf("round %d", round[0].Round), Matches: round})
	}
	return [][]Pairings{row}
}

// brackets groups ties by round. The losers' bracket begins a new row.
func brackets(ties []tournament.Tie) (rows [][]Pairings) {
	var before tournament.Tie
	lost := func(t tournament.Tie) bool { return strings.HasPrefix(t.Title, tournament.LosersBracket) }
	for _, tie := range ties {
		if rows == nil || lost(tie) && !lost(before) {
			rows = append(rows, nil)
		}
		row := &rows[len(rows)-1]
		if tie.Round != before.Round {
			*row = append(*row, Pairings{Title: tie.Title})
		}
		round := &(*row)[len(*row)-1]
		round.Ties = append(round.Ties, tie)
		before = tie
	}
	return rows
}

// meet notes the pairs of bots that have met.
func (s *Statistics) meet() {
	s.met = map[string][]int{}
	for i := range s.HeadToHeads {
		h := &s.HeadToHeads[i]
		if h.Matches.Played() == 0 {
			continue
		}
		for _, bot := range []string{h.First.Name, h.Second.Name} {
			s.met[bot] = append(s.met[bot], i)
		}
	}
}

// Opponents returns the opponents that a bot has met, in the order of the entries, each with the bot's tally against
// this opponent.
func (s *Statistics) Opponents(bot string) iter.Seq2[string, tournament.Tally] {
	return func(yield func(string, tournament.Tally) bool) {
		for _, i := range s.met[bot] {
			h := &s.HeadToHeads[i]
			name, made := h.Second.Name, h.Matches
			if name == bot {
				name, made = h.First.Name, tournament.Tally{Won: made.Lost, Drawn: made.Drawn, Lost: made.Won}
			}
			if !yield(name, made) {
				return
			}
		}
	}
}

// curve follows the test of an sprt from match to match. It keeps about as many points as a plot can show: when it has
// twice mostPoints, it drops every second point.
type curve struct {
	format tournament.Format // nil for other formats
	every  int               // matches between two points
	added  int
	points []drawing.CurvePoint
}

func newCurve(e tournament.Event) *curve {
	c := &curve{every: 1}
	if e.Settings.Plan.Kind == tournament.SPRT {
		c.format = format.New(e)
		c.points = []drawing.CurvePoint{{}}
	}
	return c
}

func (c *curve) add(m tournament.MatchResult) {
	if c.format == nil {
		return
	}
	c.format.Add(m)
	c.added++
	if c.added%c.every != 0 {
		return
	}
	c.points = append(c.points, drawing.CurvePoint{Matches: c.added, LLR: c.format.Standings().Test.LLR})
	if len(c.points) < 2*mostPoints {
		return
	}
	half := c.points[:0]
	for i, p := range c.points {
		if i%2 == 0 {
			half = append(half, p)
		}
	}
	c.points, c.every = half, 2*c.every
}

// all returns the points. The last point has the state after the last match.
func (c *curve) all() []drawing.CurvePoint {
	if n := len(c.points); c.format != nil && c.points[n-1].Matches != c.added {
		return append(c.points, drawing.CurvePoint{Matches: c.added, LLR: c.format.Standings().Test.LLR})
	}
	return c.points
}

// Rated returns a bot's ratings, nil if it has none.
func (s *Statistics) Rated(bot string) *report.Rated {
	for _, g := range s.Ratings.Groups {
		for i := range g.Bots {
			if g.Bots[i].Name == bot {
				return &g.Bots[i]
			}
		}
	}
	return nil
}

// TilesOf returns the numbers of a bot's games by their largest tile, the smallest tile first.
func (s *Statistics) TilesOf(bot string) (tiles []TileCount) {
	for tile, games := range s.Tiles[bot] {
		tiles = append(tiles, TileCount{tile, games})
	}
	slices.SortFunc(tiles, func(a, b TileCount) int { return cmp.Compare(a.Tile, b.Tile) })
	return tiles
}

// TileCount is the number of games whose largest tile is Tile.
type TileCount struct {
	Tile  int `json:"tile"`
	Games int `json:"games"`
}
