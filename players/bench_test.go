package players

import (
	"context"
	"strconv"
	"testing"

	"versus2048/rules"
)

// midgame is a position of a full game with the defender to move.
const midgame = "4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D"

func mustParsePosition(t testing.TB, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustParse(t testing.TB, text string) Spec {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkPlayout plays random games from the empty board, two at once.
func BenchmarkPlayout(b *testing.B) {
	g, empty := newGenerator(1), rules.NewPosition(rules.GPCC2015, rules.Full)
	b.ReportAllocs()
	for b.Loop() {
		twoPlayouts(empty, empty, &g)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/playout")
}

// BenchmarkPlayouts plays n of them, as many at once as the processor can.
func BenchmarkPlayouts(b *testing.B) {
	for _, n := range []int{16, 32, 64, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			g, empty := newGenerator(1), rules.NewPosition(rules.GPCC2015, rules.Full)
			var many batch
			b.ReportAllocs()
			for b.Loop() {
				many.play(empty, n, &g)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/playout")
		})
	}
}

// BenchmarkSinglePlayout plays them one after another.
func BenchmarkSinglePlayout(b *testing.B) {
	for _, r := range rules.Rulesets() {
		b.Run(r.String(), func(b *testing.B) {
			g, empty := newGenerator(1), rules.NewPosition(r, rules.Full)
			b.ReportAllocs()
			for b.Loop() {
				playout(empty, &g)
			}
		})
	}
}

// BenchmarkMove is one move of each bot with its default options.
func BenchmarkMove(b *testing.B) {
	for _, kind := range Kinds() {
		for _, start := range []string{"empty", "midgame"} {
			p := rules.NewPosition(rules.GPCC2015, rules.Full)
			if start == "midgame" {
				p = mustParsePosition(b, rules.GPCC2015, midgame)
			}
			b.Run(kind.Name+"/"+start, func(b *testing.B) {
				player := mustParse(b, kind.Name).New(1)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := player.Choose(context.Background(), p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
