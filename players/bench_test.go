package players

import (
	"context"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

func mustParse(t testing.TB, text string) Spec {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkMove is one move of each bot with its default options.
func BenchmarkMove(b *testing.B) {
	for _, kind := range Kinds() {
		for _, start := range []string{"empty", "midgame"} {
			p := rules.NewPosition(rules.GPCC2015, rules.Full)
			if start == "midgame" {
				p = searchtest.Position(b, rules.GPCC2015, searchtest.Midgame)
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
