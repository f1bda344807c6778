package mcts

import (
	"fmt"
	"testing"
	"time"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// bestEnd returns the final score of p if both sides play perfectly.
func bestEnd(p rules.Position, known map[rules.Position]int) int {
	if p.Over() {
		return p.Score()
	}
	if v, ok := known[p]; ok {
		return v
	}
	best := 0
	for i, m := range p.AppendMoves(nil) {
		v := bestEnd(p.Next(m), known)
		if i == 0 || (v > best) == (p.SideToMove() == rules.Defender) {
			best = v
		}
	}
	known[p] = best
	return best
}

// TestSearchIsExact gives the searches many playouts in every position of the 2x2 game. They must play it
// perfectly.
func TestSearchIsExact(t *testing.T) {
	values := map[rules.Position]int{}
	bestEnd(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}), values)
	small := func(c Config, change func(*Config)) Config {
		c.Exploration = 50
		return with(c, change)
	}
	for _, c := range []Config{
		small(tree, func(*Config) {}),
		small(shared, func(*Config) {}),
		small(canonical, func(*Config) {}),
		small(tree, func(c *Config) { c.Threads = 2 }),
		small(shared, func(c *Config) { c.Threads = 3 }),
		small(canonical, func(c *Config) { c.Reuse = true }),
	} {
		search := New(c)
		for p, want := range values {
			if len(p.AppendMoves(nil)) < 2 {
				continue // forced, or over
			}
			random := playout.NewGenerator(11, uint64(p.Ply()))
			m := search.Choose(p, &random, made(1000))
			if got := bestEnd(p.Next(m), values); got != want {
				t.Errorf("%+v in %v: %v leads to %d, want %d", c, p, m, got, want)
			}
		}
	}
}

// made is the budget of a search that makes some playouts.
func made(playouts int) searching.Budget { return searching.Budget{Playouts: playouts} }

// benchPositions are the positions for measuring searches.
var benchPositions = []struct{ name, text string }{
	{"empty", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A"},
	{"early", "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A"},
	{"midgame", searchtest.Midgame},
}

// benchSearches are the searches to measure, by the names of their bots.
var benchSearches = []struct {
	name   string
	config Config
}{{"mcts", tree}, {"dag", shared}, {"dag:canonical=true", canonical}}

// BenchmarkTreeWork measures the time of a search of 10,000 playouts without the playouts themselves. It makes
// as many playouts again, from the same leaves, without the tree. tree% is the rest of the time in percent of
// the time for these playouts.
func BenchmarkTreeWork(b *testing.B) {
	for _, search := range benchSearches {
		for _, at := range benchPositions {
			b.Run(search.name+"/"+at.name, func(b *testing.B) { benchmarkTreeWork(b, search.config, at.text) })
		}
	}
}

func benchmarkTreeWork(b *testing.B, c Config, text string) {
	const playouts = 10_000
	s := newTestSearch(c, searchtest.Position(b, rules.GPCC2015, text), 1)
	leaves := make([]rules.Position, playouts)
	var whole, alone time.Duration
	b.ReportAllocs()
	for b.Loop() {
		s.start(searchtest.Position(b, rules.GPCC2015, text), s.descent.random)
		random := *s.descent.random
		began := time.Now()
		for i := range leaves {
			s.playout()
			leaves[i] = s.graph.positions[s.descent.leaf()]
		}
		whole += time.Since(began)
		began = time.Now()
		for _, leaf := range leaves {
			playout.Play(leaf, &random)
		}
		alone += time.Since(began)
	}
	b.ReportMetric(100*float64(whole-alone)/float64(alone), "tree%")
	b.ReportMetric(float64(whole.Microseconds())/1000/float64(b.N), "search-ms")
	b.ReportMetric(float64(len(s.graph.nodes)), "nodes")
}

// BenchmarkThreads measures a move of 20,000 playouts by one thread and by two.
func BenchmarkThreads(b *testing.B) {
	for _, search := range benchSearches[:2] {
		for _, at := range benchPositions {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/threads=%d", search.name, at.name, threads), func(b *testing.B) {
					p := searchtest.Position(b, rules.GPCC2015, at.text)
					c := search.config
					c.Threads = threads
					search := New(c)
					for b.Loop() {
						random := playout.NewGenerator(1)
						search.Choose(p, &random, made(20_000))
					}
					b.ReportMetric(20_000/b.Elapsed().Seconds()*float64(b.N), "playouts/s")
				})
			}
		}
	}
}
