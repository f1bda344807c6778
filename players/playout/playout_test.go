package playout

import (
	"strconv"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestPlayoutMeans plays random games from the empty board. The expected means are from an independent program,
// over a million games.
func TestPlayoutMeans(t *testing.T) {
	const meanScore, meanSlides = 1209.1, 136.4
	empty := rules.NewPosition(rules.GPCC2015, rules.Full)
	begin := fullGame{moved: toMove(empty)}
	for name, games := range map[string]func(g *Generator) []rules.Board{
		"two at once": func(g *Generator) []rules.Board {
			other := NewGenerator(g.Next())
			a, b := playTwoFull(begin, begin, g, &other)
			return []rules.Board{a, b}
		},
		"one": func(g *Generator) []rules.Board { return []rules.Board{playFull(begin, g)} },
		"any size": func(g *Generator) []rules.Board {
			b, _ := playByBoards(empty, g)
			return []rules.Board{b}
		},
	} {
		var scores, slides searchtest.Sample
		g := NewGenerator(1)
		for scores.N < 20_000 {
			for _, b := range games(&g) {
				placed := 0
				for i := range 16 {
					placed += 1 << b.Exponent(i) &^ 1 / 2
				}
				slides.Add(float64(placed - 1)) // the last placement has no answer
				scores.Add(float64(b.Potential()))
			}
		}
		scores.Near(t, name+": score", meanScore)
		slides.Near(t, name+": slides", meanSlides)
	}
}

// TestPlayoutScore compares the mean score of playouts from the middle of a game with the mean of the slow
// form.
func TestPlayoutScore(t *testing.T) {
	g, h := NewGenerator(5), NewGenerator(6)
	for _, text := range []string{
		searchtest.Midgame, "0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 D",
		"16384,16384,8,16/2,4,2,8/16384,2,4,2/2,16384,4,8 D",
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		var one, two, gap searchtest.Sample
		for range 5000 {
			slow := playByPositions(p, &g)
			a, b := PlayTwo(p, p, &g, &h)
			one.Add(float64(Play(p, &g) - slow))
			two.Add(float64(a - slow))
			gap.Add(float64(a - b))
		}
		for _, s := range []searchtest.Sample{one, two, gap} {
			s.Near(t, text, 0)
		}
	}
}

// TestBatch compares the mean score of a batch with the mean of single playouts.
func TestBatch(t *testing.T) {
	g := NewGenerator(9)
	for _, text := range []string{
		searchtest.Midgame, "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 D", "2,0,0/4,0,8/0,2,0 A",
		"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,8 D", "16384,16384,8,16/2,4,2,8/16384,2,4,2/2,16384,4,8 D", "32768,32768/2,4 D",
	} {
		const n = 50
		p := searchtest.Position(t, rules.GPCC2015, text)
		var gap searchtest.Sample
		var many Batch
		for range 40 {
			each := 0
			for range n {
				each += playByPositions(p, &g)
			}
			for _, score := range many.Play(p, n, &g) {
				each -= score
			}
			gap.Add(float64(each) / n)
		}
		gap.Near(t, text, 0)
	}
}

// BenchmarkPlayout plays random games from the empty board, two at once.
func BenchmarkPlayout(b *testing.B) {
	g, h, empty := NewGenerator(1), NewGenerator(2), rules.NewPosition(rules.GPCC2015, rules.Full)
	b.ReportAllocs()
	for b.Loop() {
		PlayTwo(empty, empty, &g, &h)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N), "ns/playout")
}

// BenchmarkPlayouts plays batches of n games.
func BenchmarkPlayouts(b *testing.B) {
	for _, form := range forms() {
		for _, n := range []int{2, 4, 8, 16, 32, 64, 1000} {
			b.Run(form.name+"/"+strconv.Itoa(n), func(b *testing.B) {
				g, empty := NewGenerator(1), rules.NewPosition(rules.GPCC2015, rules.Full)
				many := Batch{lanes: Lanes{portable: form.portable}}
				b.ReportAllocs()
				for b.Loop() {
					many.Play(empty, n, &g)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/playout")
			})
		}
	}
}

// BenchmarkSinglePlayout plays random games one after another.
func BenchmarkSinglePlayout(b *testing.B) {
	for _, r := range rules.Rulesets() {
		b.Run(r.String(), func(b *testing.B) {
			g, empty := NewGenerator(1), rules.NewPosition(r, rules.Full)
			b.ReportAllocs()
			for b.Loop() {
				Play(empty, &g)
			}
		})
	}
}

// TestMergesFit compares the short cut of MergesFit with the sum of the tiles, on boards of large tiles.
func TestMergesFit(t *testing.T) {
	const row2048s, rowMixed = "2048,2048,2048,2048", "2048,1024,2048,2048"
	for text, want := range map[string]bool{
		row2048s + "/" + row2048s + "/" + row2048s + "/" + row2048s + " D": false,
		row2048s + "/" + rowMixed + "/" + row2048s + "/" + row2048s + " D": true,
		"16384,8192,4096,2048/1024,512,256,128/64,32,16,8/4,2,0,0 A":       true,
		"16384,8192,4096,2048/1024,512,256,128/64,32,16,8/4,2,2,0 A":       false,
		"32768,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A":                            false,
		"65536,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A":                            false,
		"4096,4096,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A":                          true,
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		if got := MergesFit(p); got != want || got != (p.Sum() < 1<<15) {
			t.Errorf("%s: merges fit: %v, want %v; the sum is %d", text, got, want, p.Sum())
		}
	}
}
