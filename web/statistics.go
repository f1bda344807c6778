package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
	"versus2048/web/drawing"
)

// statistics is what is computed from the decided matches of an event, for all its pages.
type statistics struct {
	report.Statistics
	Finished int                    // games, when it was computed
	Tiles    map[string]map[int]int // by bot: games as defender by their largest tile
	Faults   []results.Listed       // the first games that a fault ended
	Faulty   int                    // how many there are
	Curve    []drawing.CurvePoint   // of the test of an sprt
	Rounds   []roundView            // of a swiss, or the last matches of a ladder
	swiss    bool
	ladder   bool
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
func tally(ctx context.Context, store *results.Store, e tournament.Event) (*statistics, error) {
	finished, _, err := store.Count(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	kind := format.Name(e.Settings.Plan)
	s := &statistics{Finished: finished, Tiles: map[string]map[int]int{}, swiss: kind == format.Swiss, ladder: kind == format.Ladder}
	collected, err := store.Collect(ctx, e, true)
	if err != nil {
		return nil, err
	}
	if s.Statistics, err = collected.Statistics(nil); err != nil {
		return nil, err
	}
	curve := newCurve(e)
	err = store.EachMatch(ctx, e, func(m tournament.MatchResult) {
		curve.add(m)
		s.gather(&m)
	})
	if err != nil {
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

// roundTable is a round of a format that is played round by round.
type roundTable struct {
	Title   string
	Ties    []tournament.Tie
	Matches []matchLine
}

// matchLine is a decided match in a list.
type matchLine struct {
	Match         int
	First, Second string
	Scores        [2]int // as defender
	Points        [2]string
	By            tournament.Decision
}

func matchLineOf(m *tournament.MatchResult) matchLine {
	return matchLine{
		Match: m.Match, First: m.First, Second: m.Second, Scores: [2]int{m.Legs[0].Score, m.Legs[1].Score},
		Points: [2]string{drawing.PointsText(m.Points(m.First)), drawing.PointsText(m.Points(m.Second))}, By: m.By,
	}
}

// lastRounds is how many rounds of a ladder are listed: each of its matches is one.
const lastRounds = 20

// roundTables returns the pairings of an event: its ties, or its rounds.
func roundTables(s *statistics) (tables []roundTable) {
	for _, tie := range s.Standings.Ties {
		if n := len(tables); n == 0 || tables[n-1].Ties[0].Round != tie.Round || tables[n-1].Title != tie.Title {
			tables = append(tables, roundTable{Title: tie.Title})
		}
		last := &tables[len(tables)-1]
		last.Ties = append(last.Ties, tie)
	}
	if tables != nil {
		return tables
	}
	if s.ladder {
		table := roundTable{Title: "last matches"}
		for i := len(s.Rounds) - 1; i >= max(0, len(s.Rounds)-lastRounds); i-- {
			for _, m := range s.Rounds[i].Matches {
				table.Matches = append(table.Matches, matchLineOf(&m))
			}
		}
		if table.Matches != nil {
			tables = append(tables, table)
		}
		return tables
	}
	for _, round := range s.Rounds {
		table := roundTable{Title: fmt.Sprintf("round %d", round.Round)}
		for _, m := range round.Matches {
			table.Matches = append(table.Matches, matchLineOf(&m))
		}
		tables = append(tables, table)
	}
	return tables
}

// curve follows the test of an sprt from match to match. It keeps as many points as a plot
// can show: each time there are twice as many, every other one is dropped.
type curve struct {
	format tournament.Format // nil for other formats
	every  int               // matches between two points
	added  int
	points []drawing.CurvePoint
}

func newCurve(e tournament.Event) *curve {
	c := &curve{every: 1}
	if e.Settings.Plan.Kind == format.SPRT {
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

// tallies remembers the statistics of events by the number of their finished games.
type tallies struct {
	store *results.Store
	mu    sync.Mutex
	known map[int64]*tallied
}

func newTallies(store *results.Store) *tallies {
	return &tallies{store: store, known: map[int64]*tallied{}}
}

// tallied is what is known of one event.
type tallied struct {
	latest  *statistics
	err     error
	took    time.Duration // to compute the latest
	made    time.Time
	used    time.Time
	running chan struct{} // closed when the computation in progress is over; nil if there is none
}

const (
	mostTallied = 64 // events
	// tallyShare is the part of the time for which the statistics of an event that is being played
	// are computed at most.
	tallyShare = 10
	// tallyPatience is how long a page waits for statistics before it is shown without them.
	tallyPatience = 250 * time.Millisecond
)

// of returns an event's statistics, given how many of its games are finished. While more games are
// played they may be a little old. They are nil if it takes longer to compute them: then the page says
// so and asks again.
func (t *tallies) of(ctx context.Context, e tournament.Event, finished int) (*statistics, error) {
	t.mu.Lock()
	k := t.known[e.ID]
	if k == nil {
		k = &tallied{}
		t.known[e.ID] = k
		t.forget()
	}
	k.used = time.Now()
	fresh := k.latest != nil && k.latest.Finished == finished && k.err == nil
	if !fresh && k.running == nil && time.Since(k.made) >= tallyShare*k.took {
		k.running = make(chan struct{})
		go t.compute(context.WithoutCancel(ctx), k, e)
	}
	running, latest := k.running, k.latest
	t.mu.Unlock()
	if fresh || running == nil {
		return latest, k.failure()
	}
	if latest != nil && time.Since(k.made) < time.Second {
		return latest, nil
	}
	timeout := time.NewTimer(tallyPatience)
	defer timeout.Stop()
	select {
	case <-running:
	case <-timeout.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return k.latest, k.err
}

func (k *tallied) failure() error {
	if k.latest != nil {
		return nil
	}
	return k.err
}

func (t *tallies) compute(ctx context.Context, k *tallied, e tournament.Event) {
	began := time.Now()
	s, err := tally(ctx, t.store, e)
	t.mu.Lock()
	defer t.mu.Unlock()
	if k.err = err; err == nil {
		k.latest = s
	}
	k.took, k.made = time.Since(began), time.Now()
	close(k.running)
	k.running = nil
}

// forget drops the statistics that have not been asked for the longest, if there are too many. The
// caller holds the lock.
func (t *tallies) forget() {
	if len(t.known) <= mostTallied {
		return
	}
	var oldest int64
	for id, k := range t.known {
		if k.running == nil && (oldest == 0 || k.used.Before(t.known[oldest].used)) && !k.used.IsZero() {
			oldest = id
		}
	}
	delete(t.known, oldest)
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
