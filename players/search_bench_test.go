package players

import (
	"context"
	"fmt"
	"testing"
	"time"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// benchPositions are where searches are measured: the empty board, an early one
// and one in the middle of a game.
var benchPositions = []struct{ name, text string }{
	{"empty", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A"},
	{"early", "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A"},
	{"midgame", searchtest.Midgame},
}

// BenchmarkTreeWork measures what a search of 10,000 playouts takes beyond the
// playouts themselves: it makes the same playouts again, from the same leaves,
// without the tree. tree% is the rest of the time in percent of that.
func BenchmarkTreeWork(b *testing.B) {
	for _, spec := range []string{"mcts", "dag", "dag:canonical=true"} {
		for _, at := range benchPositions {
			b.Run(spec+"/"+at.name, func(b *testing.B) { benchmarkTreeWork(b, spec, at.text) })
		}
	}
}

func benchmarkTreeWork(b *testing.B, spec, text string) {
	const playouts = 10_000
	s := newTestSearch(b, spec, searchtest.Position(b, rules.GPCC2015, text), 1)
	leaves := make([]rules.Position, playouts)
	var whole, alone time.Duration
	b.ReportAllocs()
	for b.Loop() {
		s.start(searchtest.Position(b, rules.GPCC2015, text), s.random)
		random := *s.random
		began := time.Now()
		for i := range leaves {
			s.step()
			leaves[i] = s.nodes[s.leaf()].position
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
	b.ReportMetric(float64(len(s.nodes)), "nodes")
}

// BenchmarkThreads is one move of 20,000 playouts by one thread and by two.
func BenchmarkThreads(b *testing.B) {
	for _, kind := range []string{"mcts", "dag"} {
		for _, at := range benchPositions {
			for _, threads := range []int{1, 2} {
				spec := fmt.Sprintf("%s:playouts=20000,threads=%d", kind, threads)
				b.Run(fmt.Sprintf("%s/%s/threads=%d", kind, at.name, threads), func(b *testing.B) {
					p := searchtest.Position(b, rules.GPCC2015, at.text)
					player := mustParse(b, spec).New(1)
					for b.Loop() {
						if _, err := player.Choose(context.Background(), p); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(20_000/b.Elapsed().Seconds()*float64(b.N), "playouts/s")
				})
			}
		}
	}
}
