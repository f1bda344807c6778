package playout

import (
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestPlayoutForms checks that playByBoards and playByPositions play the same games.
func TestPlayoutForms(t *testing.T) {
	g := NewGenerator(2)
	for p := range searchtest.RandomPositions(g.Below, 3) {
		fast, slow := g, g
		if got, want := playAny(p, &fast), playByPositions(p, &slow); got != want {
			t.Fatalf("%v, %v: the playout by boards scores %d, by positions %d", p.Rules(), p, got, want)
		}
		g.Next()
	}
}

// TestPlayoutLargest plays games with 65536s, which a board cannot hold.
func TestPlayoutLargest(t *testing.T) {
	for text, least := range map[string]int{
		"32768,32768/2,4 D":     65536,
		"65536,2/2,4 D":         0,
		"32768,16384/4,16384 D": 32768,
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		made := false
		for seed := range uint64(50) {
			fast, slow := NewGenerator(seed), NewGenerator(seed)
			got, want := Play(p, &fast), playByPositions(p, &slow)
			if got != want || got < p.Score()+least {
				t.Fatalf("%s, seed %d: score %d, want %d, at least %d", text, seed, got, want, p.Score()+least)
			}
			made = made || got >= p.Score()+65536
		}
		if !made && !p.HasHuge() {
			t.Errorf("%s: no playout made a 65536", text)
		}
	}
}

// TestSlidesUniform checks that a playout draws evenly from the legal slides.
func TestSlidesUniform(t *testing.T) {
	for text, legal := range map[string]int{
		"2,0,0,0/0,4,0,0/0,0,8,0/0,0,0,2 D": 4,
		"2,4,8,2/0,0,0,0/4,0,0,0/0,0,0,0 D": 3,
		"2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D": 2,
	} {
		p, g := searchtest.Position(t, rules.GPCC2015, text), NewGenerator(3)
		drawn := map[rules.Board]*searchtest.Sample{}
		for _, m := range p.AppendMoves(nil) {
			drawn[p.Next(m).Board()] = &searchtest.Sample{}
		}
		if len(drawn) != legal {
			t.Fatalf("%s has %d slides, want %d", text, len(drawn), legal)
		}
		for range 4000 {
			next := slideRandomly(p.Board(), p.Size(), &g)
			for b, s := range drawn {
				s.Count(b == next)
			}
		}
		for _, s := range drawn {
			s.Near(t, text, 1/float64(legal))
		}
	}
}

// TestPlacementsUniform checks the cells and the share of 4s that a playout draws.
func TestPlacementsUniform(t *testing.T) {
	fours := map[rules.Ruleset]float64{rules.GPCC2015: 0, rules.GPCC2016: 0.5, rules.Solo: 0.1}
	for r, share := range fours {
		p, g := searchtest.Position(t, r, "2,0,0/4,0,8/0,2,0 A"), NewGenerator(4)
		var four searchtest.Sample
		cells := map[int]*searchtest.Sample{1: {}, 2: {}, 5: {}, 8: {}, 10: {}}
		for range 80_000 {
			cell, isFour := drawPlacement(p.Board().Empty(p.Size()), r, &g)
			if cells[cell] == nil {
				t.Fatalf("%v: placed on the occupied cell %d", r, cell)
			}
			for c, s := range cells {
				s.Count(c == cell)
			}
			four.Count(isFour)
		}
		four.Near(t, r.String()+", share of 4s", share)
		for _, s := range cells {
			s.Near(t, r.String()+", share of a cell", 1.0/5)
		}
	}
}

func TestNthCell(t *testing.T) {
	for set := 1; set < 1<<16; set += 7 {
		var cells uint64
		for i := range 16 {
			cells |= uint64(set>>i&1) << (4 * i)
		}
		n := 0
		for i := range 16 {
			if set>>i&1 == 0 {
				continue
			}
			if got := nthCell(cells, n); got != i {
				t.Fatalf("cell %d of %016b is %d, want %d", n, set, got, i)
			}
			n++
		}
	}
	if got := nthCell(0x1111_1111_1111_1111, 15); got != 15 {
		t.Errorf("the last cell of the empty board is %d", got)
	}
}
