package players

import (
	"math"
	"slices"
	"testing"

	"versus2048/rules"
)

// sample gathers numbers for a mean and its standard error.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) { s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x }

// near fails the test if the mean is more than 4 standard errors off want.
func (s *sample) near(t *testing.T, what string, want float64) {
	t.Helper()
	mean := s.sum / s.n
	deviation := math.Sqrt((s.squares/s.n - mean*mean) / s.n)
	if math.Abs(mean-want) > 4*deviation {
		t.Errorf("%s: mean %.4f (standard error %.4f), want %.4f", what, mean, deviation, want)
	}
}

// TestPlayoutMeans plays random games from the empty board. The means were
// measured by an independent program over a million games.
func TestPlayoutMeans(t *testing.T) {
	const meanScore, meanSlides = 1209.1, 136.4
	empty := rules.NewPosition(rules.GPCC2015, rules.Full)
	begin := turning{moved: toMove(empty)}
	for name, games := range map[string]func(g *generator) []rules.Board{
		"two at once": func(g *generator) []rules.Board {
			a, b := twoPlayoutsFull(begin, begin, g)
			return []rules.Board{a, b}
		},
		"one": func(g *generator) []rules.Board { return []rules.Board{playoutFull(begin, g)} },
		"many": func(g *generator) (last []rules.Board) {
			games := slices.Repeat([]turning{begin}, 500)
			playOn(games, g)
			for _, t := range games {
				last = append(last, t.board)
			}
			return last
		},
		"any size": func(g *generator) []rules.Board {
			b, _ := playoutByBoards(empty, g)
			return []rules.Board{b}
		},
	} {
		var scores, slides sample
		g := newGenerator(1)
		for scores.n < 20_000 {
			for _, b := range games(&g) {
				placed := 0
				for i := range 16 {
					placed += 1 << b.Exponent(i) &^ 1 / 2
				}
				slides.add(float64(placed - 1)) // the last placement has no answer
				scores.add(float64(b.Potential()))
			}
		}
		scores.near(t, name+": score", meanScore)
		slides.near(t, name+": slides", meanSlides)
	}
}

// TestPlayoutScore holds the mean score of playouts from positions under way
// against those of the slow form.
func TestPlayoutScore(t *testing.T) {
	g := newGenerator(5)
	for _, text := range []string{
		midgame, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 D",
		"16384,16384,8,16/2,4,2,8/16384,2,4,2/2,16384,4,8 D",
	} {
		p := mustParsePosition(t, rules.GPCC2015, text)
		var one, two, gap sample
		for range 5000 {
			slow := playoutByPositions(p, &g)
			a, b := twoPlayouts(p, p, &g)
			one.add(float64(playout(p, &g) - slow))
			two.add(float64(a - slow))
			gap.add(float64(a - b))
		}
		for _, s := range []sample{one, two, gap} {
			s.near(t, text, 0)
		}
	}
}

// TestPlayoutForms checks that boards and positions play the same games.
func TestPlayoutForms(t *testing.T) {
	g := newGenerator(2)
	for p := range randomPositions(&g, 3) {
		fast, slow := g, g
		if got, want := playoutAny(p, &fast), playoutByPositions(p, &slow); got != want {
			t.Fatalf("%v, %v: the playout by boards scores %d, by positions %d", p.Rules(), p, got, want)
		}
		g.next()
	}
}

// TestPlayoutLargest plays on where 65536s arise, on which a board falls short.
func TestPlayoutLargest(t *testing.T) {
	for text, least := range map[string]int{
		"32768,32768/2,4 D":     65536,
		"65536,2/2,4 D":         0,
		"32768,16384/4,16384 D": 32768,
	} {
		p := mustParsePosition(t, rules.GPCC2015, text)
		made := false
		for seed := range uint64(50) {
			fast, slow := newGenerator(seed), newGenerator(seed)
			got, want := playout(p, &fast), playoutByPositions(p, &slow)
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
	g := newGenerator(3)
	for text, legal := range map[string]int{
		"2,0,0,0/0,4,0,0/0,0,8,0/0,0,0,2 D": 4,
		"2,4,8,2/0,0,0,0/4,0,0,0/0,0,0,0 D": 3,
		"2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D": 2,
	} {
		p := mustParsePosition(t, rules.GPCC2015, text)
		drawn := map[rules.Board]*sample{}
		for _, m := range p.AppendMoves(nil) {
			drawn[p.Next(m).Board()] = &sample{}
		}
		if len(drawn) != legal {
			t.Fatalf("%s has %d slides, want %d", text, len(drawn), legal)
		}
		for range 4000 {
			next := slideAnyway(p.Board(), p.Size(), &g)
			for b, s := range drawn {
				s.add(count(b == next))
			}
		}
		for _, s := range drawn {
			s.near(t, text, 1/float64(legal))
		}
	}
}

// TestPlacementsUniform checks the cells and the share of 4s that a playout
// draws.
func TestPlacementsUniform(t *testing.T) {
	fours := map[rules.Ruleset]float64{rules.GPCC2015: 0, rules.GPCC2016: 0.5, rules.Solo: 0.1}
	g := newGenerator(4)
	for r, share := range fours {
		p := mustParsePosition(t, r, "2,0,0/4,0,8/0,2,0 A")
		var four sample
		cells := map[int]*sample{1: {}, 2: {}, 5: {}, 8: {}, 10: {}}
		for range 80_000 {
			cell, isFour := drawPlacement(p.Board().Empty(p.Size()), r, &g)
			if cells[cell] == nil {
				t.Fatalf("%v: placed on the occupied cell %d", r, cell)
			}
			for c, s := range cells {
				s.add(count(c == cell))
			}
			four.add(count(isFour))
		}
		four.near(t, r.String()+", share of 4s", share)
		for _, s := range cells {
			s.near(t, r.String()+", share of a cell", 1.0/5)
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

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
