package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"versus2048/players"
	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestBotsOwnReading checks that the bot's own reading chooses the bot's moves.
func TestBotsOwnReading(t *testing.T) {
	spec, err := players.Parse("evminimax:depth=3,ties=first")
	if err != nil {
		t.Fatal(err)
	}
	bot, own := spec.New(players.Game{}), newSearch(readingNamed(t, "first"))
	for _, p := range somePositions() {
		want, err := bot.Choose(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got := own.choose(p, p.AppendMoves(nil), nil); got != want {
			t.Errorf("%v: %v, the bot %v", p, got, want)
		}
	}
}

// TestPlainMinimax compares the choices of each reading with the choices of a minimax that prunes nothing and
// looks at positions ply by ply.
func TestPlainMinimax(t *testing.T) {
	positions := slices.DeleteFunc(somePositions(), func(p rules.Position) bool { return p.Board().EmptyCells(rules.Full) > 3 })
	if len(positions) < 5 {
		t.Fatalf("%d positions to compare", len(positions))
	}
	for _, r := range Readings() {
		s := newSearch(r)
		if r.Ties == Drawn {
			s.reading.Ties = First
		}
		for _, p := range positions {
			if got, want := s.choose(p, p.AppendMoves(nil), nil), plainChoice(s.reading, p); got != want {
				t.Errorf("%s, %v: %v, want %v", r.Name, p, got, want)
			}
		}
	}
}

// somePositions returns some positions of two random games that have a choice.
func somePositions() (all []rules.Position) {
	random := playout.NewGenerator(3)
	for range 2 {
		for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over(); {
			moves := p.AppendMoves(nil)
			if len(moves) > 1 && p.Ply() > 20 && random.Below(8) == 0 {
				all = append(all, p)
			}
			p = p.Next(moves[random.Below(len(moves))])
		}
	}
	return all
}

// plainChoice is the choice of a reading.
func plainChoice(r Reading, p rules.Position) (best rules.Move) {
	most := math.MinInt
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		value := plainValue(r, []rules.Position{p, next})
		if r.Root {
			value += r.Points * (next.Score() - p.Score())
		}
		if p.SideToMove() == rules.Attacker {
			value = -value
		}
		if value > most || value == most && r.Ties == Last {
			best, most = m, value
		}
	}
	return best
}

// plainValue is the value of the last position of a line.
func plainValue(r Reading, line []rules.Position) (best int) {
	p, before := line[len(line)-1], line[len(line)-2]
	slides, placements := 0, 0
	for _, q := range line[:len(line)-1] {
		if q.SideToMove() == rules.Defender {
			slides++
		} else {
			placements++
		}
	}
	slid := before.SideToMove() == rules.Defender
	ends := map[End]bool{
		AfterSlide: slid && slides == 3, AfterPlacement: !slid && placements == 3,
		BeforeSlide: !slid && slides == 2, AfterAnswer: !slid && slides == 3,
	}
	switch {
	case ends[r.End] && r.Unmerged:
		return plainEvaluation(r, p.Score(), before)
	case ends[r.End] || p.Over():
		return plainEvaluation(r, p.Score(), p)
	}
	for i, m := range p.AppendMoves(nil) {
		v := plainValue(r, append(line[:len(line):len(line)], p.Next(m)))
		if i == 0 || (v > best) == (p.SideToMove() == rules.Defender) {
			best = v
		}
	}
	return best
}

func plainEvaluation(r Reading, score int, p rules.Position) int {
	differences := 2*p.Score() - searchtest.PlainEvaluation(p, evaluation.Variant{Empty: r.Empty})
	if r.Root {
		return -differences
	}
	return r.Points*score - differences
}

func TestNamed(t *testing.T) {
	if all, err := ReadingsNamed(nil); err != nil || len(all) != len(Readings()) {
		t.Errorf("%d readings, %v", len(all), err)
	}
	if _, err := ReadingsNamed([]string{"guess"}); err == nil || !strings.Contains(err.Error(), "placements") {
		t.Errorf("an unknown reading: %v", err)
	}
}

func readingNamed(t *testing.T, name string) Reading {
	t.Helper()
	readings, err := ReadingsNamed([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	return readings[0]
}

// TestPlayRepeats checks that games do not depend on how many are played at once, and that fewer matches
// are the first of more.
func TestPlayRepeats(t *testing.T) {
	r := readingNamed(t, "before")
	few, err := PlayReading(context.Background(), r, ReadingConfig{Matches: 1, Playouts: 2, Seed: 5, Concurrent: 1})
	if err != nil {
		t.Fatal(err)
	}
	more, err := PlayReading(context.Background(), r, ReadingConfig{Matches: 2, Playouts: 2, Seed: 5, Concurrent: 4})
	if err != nil {
		t.Fatal(err)
	}
	if few.MCTS[0] != more.MCTS[0] || few.Scores[0] != more.Scores[0] {
		t.Errorf("the first match: %+v, then %+v", few, more)
	}
	if _, err := PlayReading(context.Background(), r, ReadingConfig{Matches: 1, Playouts: 1, Concurrent: 0}); err == nil {
		t.Error("no game at once: no error")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := PlayReading(ended, r, ReadingConfig{Matches: 1, Playouts: 1, Concurrent: 1}); err == nil {
		t.Error("an ended context: no error")
	}
}

// BenchmarkReading plays b.N matches of each reading and reports the means with their standard errors.
func BenchmarkReading(b *testing.B) {
	for _, playouts := range []int{1000, 10_000} {
		for _, r := range Readings() {
			b.Run(fmt.Sprintf("%d/%s", playouts, r.Name), func(b *testing.B) {
				result, err := PlayReading(b.Context(), r, ReadingConfig{Matches: b.N, Playouts: playouts, Seed: 1, Concurrent: 16})
				if err != nil {
					b.Fatal(err)
				}
				for name, scores := range map[string][]float64{"mcts": result.MCTS, "reading": result.Scores} {
					mean, deviation := stat.MeanStdDev(scores, nil)
					b.ReportMetric(mean, name)
					b.ReportMetric(stat.StdErr(deviation, float64(b.N)), name+"±")
				}
			})
		}
	}
}
