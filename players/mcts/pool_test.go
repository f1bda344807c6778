package mcts

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestPoolIsTheSame lets searches of many positions share a pool. Each must have the same result as alone.
func TestPoolIsTheSame(t *testing.T) {
	g := playout.NewGenerator(31)
	var positions []rules.Position
	for p := range searchtest.RandomPositions(g.Below, 1) {
		if len(p.AppendMoves(nil)) > 1 && g.Below(4) == 0 {
			positions = append(positions, p)
		}
	}
	for _, name := range []string{"tree", "shared", "canonical"} {
		alone := named[name]
		pooled := with(alone, func(c *Config) { c.Pool = new(Pool) })
		var group sync.WaitGroup
		for some := range slices.Chunk(positions, len(positions)/70+1) {
			group.Go(func() {
				a, b := New(alone), New(pooled)
				for i, p := range some {
					random, again := playout.NewGenerator(uint64(i)), playout.NewGenerator(uint64(i))
					want, got := a.Choose(p, &random, made(100)), b.Choose(p, &again, made(100))
					if got != want || random != again || fmt.Sprint(a.Result()) != fmt.Sprint(b.Result()) {
						t.Errorf("%s, %v: %v in a pool, %v alone", name, p, got, want)
					}
				}
			})
		}
		group.Wait()
	}
}

// TestPoolStops checks that a search in a pool ends when it is stopped, and that the others continue.
func TestPoolStops(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	pool := new(Pool)
	var group sync.WaitGroup
	for i := range 3 * playout.Width {
		group.Go(func() {
			c := with(tree, func(c *Config) { c.Pool = pool })
			random, s, asked := playout.NewGenerator(1), New(c), 0
			s.Choose(p, &random, searching.Budget{Playouts: 1000, Stop: func() bool {
				asked++
				return i%2 == 0 && asked > i/2
			}})
			want := int64(1000)
			if i%2 == 0 {
				want = int64(i / 2 * stopEvery)
			}
			if got := s.Result().Playouts; got != want {
				t.Errorf("search %d made %d playouts, want %d", i, got, want)
			}
		})
	}
	group.Wait()
}

// BenchmarkPool makes searches of 10,000 playouts: one after another, and in a pool with several searches for
// each processor.
func BenchmarkPool(b *testing.B) {
	for _, search := range benchSearches[:2] {
		for _, at := range benchPositions {
			for _, together := range []int{0, 1, 4, 8, 16, 32} {
				b.Run(fmt.Sprintf("%s/%s/%d", search.name, at.name, together), func(b *testing.B) {
					benchmarkPool(b, search.config, searchtest.Position(b, rules.GPCC2015, at.text), together)
				})
			}
		}
	}
}

func benchmarkPool(b *testing.B, c Config, p rules.Position, together int) {
	threads := runtime.GOMAXPROCS(0)
	if together > 0 {
		c.Pool = new(Pool)
	}
	searches := make([]*Search, threads*max(1, together))
	for i := range searches {
		searches[i] = New(c)
	}
	const playouts = 10_000
	rounds := max(1, 8/max(1, together))
	all := func() {
		var group sync.WaitGroup
		for i, s := range searches {
			group.Go(func() {
				for range rounds {
					random := playout.NewGenerator(uint64(i))
					s.Choose(p, &random, made(playouts))
				}
			})
		}
		group.Wait()
	}
	all()
	for b.Loop() {
		all()
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9*float64(threads)/float64(b.N)/float64(rounds*len(searches)*playouts), "ns/playout")
}
