package web

import (
	"cmp"
	"context"
	"slices"

	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// statistics is what is computed from the decided matches of an event, for all its pages.
type statistics struct {
	report.Statistics
	Finished int                    // games, when it was computed
	Tiles    map[string]map[int]int // by bot: games as defender by their largest tile
	Faults   []results.Listed       // the first games that a fault ended
	Faulty   int                    // how many there are
	Curve    []curvePoint           // of the test of an sprt
	Rounds   []roundView            // of a swiss, or the last matches of a ladder
	swiss    bool
	ladder   bool
}

// mostTallied is twice the number of events whose statistics are kept.
const mostTallied = 128

func (s *statistics) weight() int { return 1 }

// curvePoint is the log likelihood ratio of a test after a number of matches.
type curvePoint struct {
	Matches int     `json:"matches"`
	LLR     float64 `json:"llr"`
}

// roundView is a round with its decided matches.
type roundView struct {
	Round   int
	Matches []tournament.MatchResult
}

// Limits of what an event's statistics list one by one.
const (
	mostFaults  = 100
	mostPoints  = 400 // of the curve of a test, roughly
	mostInRound = 2000
)

// tally computes the statistics of an event from its database.
func tally(ctx context.Context, store *results.Store, event int64) (*statistics, error) {
	e, err := store.Event(ctx, event)
	if err != nil {
		return nil, err
	}
	finished, _, err := store.Count(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	kind := format.Name(e.Settings.Plan)
	s := &statistics{Finished: finished, Tiles: map[string]map[int]int{}, swiss: kind == format.Swiss, ladder: kind == format.Ladder}
	curve := newCurve(e)
	collected, err := store.CollectEach(ctx, e, true, func(m *tournament.MatchResult) {
		curve.add(*m)
		s.gather(m)
	})
	if err != nil {
		return nil, err
	}
	if s.Statistics, err = collected.Statistics(nil); err != nil {
		return nil, err
	}
	s.Curve = curve.points
	s.Faults, s.Faulty, err = store.List(ctx, results.Listing{Event: e.ID, Faults: true, Limit: mostFaults})
	return s, err
}

// gather counts what the reports of package report do not have.
func (s *statistics) gather(m *tournament.MatchResult) {
	for leg, summary := range m.Legs {
		if _, defender := m.Roles(leg + 1); summary.Scored() {
			if s.Tiles[defender] == nil {
				s.Tiles[defender] = map[int]int{}
			}
			s.Tiles[defender][summary.LargestTile]++
		}
	}
	if !s.swiss && !s.ladder || s.swiss && m.Match > mostInRound {
		return
	}
	if n := len(s.Rounds); n == 0 || s.Rounds[n-1].Round != m.Round {
		s.Rounds = append(s.Rounds, roundView{Round: m.Round})
	}
	last := &s.Rounds[len(s.Rounds)-1]
	last.Matches = append(last.Matches, *m)
	if s.ladder && len(s.Rounds) > lastRounds {
		s.Rounds = s.Rounds[1:]
	}
}

// curve follows the test of an sprt from match to match. It keeps as many points as a plot
// can show: each time there are twice as many, every other one is dropped.
type curve struct {
	format tournament.Format // nil for other formats
	every  int               // matches between two points
	added  int
	points []curvePoint
}

func newCurve(e tournament.Event) *curve {
	c := &curve{every: 1}
	if e.Settings.Plan.Kind == format.SPRT {
		c.format = format.New(e)
		c.points = []curvePoint{{}}
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
	c.points = append(c.points, curvePoint{c.added, c.format.Standings().Test.LLR})
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

// rated returns a bot's ratings, nil if it has none.
func (s *statistics) rated(bot string) *report.Rated {
	for _, g := range s.Ratings.Groups {
		for i := range g.Bots {
			if g.Bots[i].Name == bot {
				return &g.Bots[i]
			}
		}
	}
	return nil
}

// tilesOf returns a bot's largest tiles as bars, the smallest first.
func (s *statistics) tilesOf(bot string) (tiles []tileCount) {
	for tile, games := range s.Tiles[bot] {
		tiles = append(tiles, tileCount{tile, games})
	}
	slices.SortFunc(tiles, func(a, b tileCount) int { return cmp.Compare(a.Tile, b.Tile) })
	return tiles
}

// tileCount is how many games had this largest tile.
type tileCount struct {
	Tile  int `json:"tile"`
	Games int `json:"games"`
}
