package census

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// runCensus runs a census with at least the least memory.
func runCensus(t *testing.T, s Config) []Layer {
	t.Helper()
	s.Memory = max(s.Memory, LeastMemory)
	layers, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

func position(t *testing.T, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var empty = rules.NewPosition(rules.GPCC2015, rules.Full)

func TestPublishedCensus(t *testing.T) {
	text, err := os.ReadFile("testdata/census.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(text)), "\n"), func(line string) bool { return line[0] == '#' })
	layers := runCensus(t, Config{Start: empty, Plies: 2 * len(lines)})[1:]
	for i, line := range lines {
		l := layers[i]
		if got := fmt.Sprint(l.Plies, l.Positions, l.MinScore, l.MaxScore); got != line {
			t.Errorf("plies, positions, smallest and largest score: %s, want %s", got, line)
		}
	}
	if len(lines) != 15 {
		t.Errorf("%d lines", len(lines))
	}
}

// The shortest game ends in the one mated position after 51 plies.
func TestShortestGame(t *testing.T) {
	layers := runCensus(t, Config{Start: empty, Plies: 52})
	if len(layers) != 27 {
		t.Fatalf("%d layers, want 27", len(layers))
	}
	for _, l := range layers {
		if want := int64(l.Plies / 52); l.Mated != want {
			t.Errorf("%d mated positions after %d plies, want %d", l.Mated, l.Plies-1, want)
		}
	}
}

// TestNaiveCensus compares with a count that keeps sets of positions.
func TestNaiveCensus(t *testing.T) {
	for _, tc := range []struct {
		start string
		plies int
	}{
		{"0,0/0,0 A", 100},
		{"0,0/0,0/0,0 A", 100},
		{"0,0,0/0,0,0 A", 60},
		{"0,0,0,0/0,0,0,0 A", 32},
		{"0,0/0,0/0,0/0,0 A", 32},
		{"0,0,0/0,0,0/0,0,0 A", 32},
		{"0,0,0,0/0,0,0,0/0,0,0,0 A", 20},
		{"0,0,0/0,0,0/0,0,0/0,0,0 A", 20},
		{"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0 A", 20},
		{"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 D", 20}, // mated
		{"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,8 D", 19},
		{"2,2,0,4/64,2,4,2/0,128,2,4/0,2,256,0 A", 9},
		{"2,2,0,4/64,2,4,2/0,128,2,4/1024,2,512,0 D", 10},
	} {
		start := position(t, tc.start)
		want := naive(start, tc.plies)
		got := runCensus(t, Config{Start: start, Plies: tc.plies, Defenders: true})
		for i := range got {
			got[i].Bytes, got[i].Growth = 0, 0
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %s:\n%v, want\n%v", tc.start, got, want)
		}
	}
}

// naive counts with package rules alone.
func naive(start rules.Position, plies int) (layers []Layer) {
	positions, mated, defenders := map[rules.Position]bool{start.Canonical(): true}, 0, 0
	for p := start; p.Ply() <= start.Ply()+plies; {
		if p.SideToMove() == rules.Defender {
			mated, defenders = 0, len(positions)
			for q := range positions {
				if q.Over() {
					mated++
				}
			}
		} else {
			layers = append(layers, naiveLayer(p.Ply(), positions, mated, defenders))
		}
		if positions = naiveNext(positions); len(positions) == 0 {
			if p.SideToMove() == rules.Defender && p.Ply() < start.Ply()+plies {
				layers = append(layers, Layer{Plies: p.Ply() + 1, Mated: int64(mated), Defenders: int64(defenders)})
			}
			return layers
		}
		p = slices.Collect(maps.Keys(positions))[0]
	}
	return layers
}

func naiveLayer(plies int, positions map[rules.Position]bool, mated, defenders int) Layer {
	l := Layer{Plies: plies, Positions: int64(len(positions)), Mated: int64(mated), Defenders: int64(defenders), MinScore: 1 << 30}
	for p := range positions {
		l.MinScore, l.MaxScore = min(l.MinScore, p.Score()), max(l.MaxScore, p.Score())
	}
	return l
}

func naiveNext(positions map[rules.Position]bool) map[rules.Position]bool {
	next := map[rules.Position]bool{}
	for p := range positions {
		for _, m := range p.AppendMoves(nil) {
			next[p.Next(m).Canonical()] = true
		}
	}
	return next
}

func TestCheckConfig(t *testing.T) {
	fours := rules.NewPosition(rules.GPCC2016, rules.Full)
	for want, s := range map[string]Config{
		"gpcc2016: want gpcc2015": {Start: fours, Plies: 2, Memory: LeastMemory},
		"0 plies":                 {Start: empty, Memory: LeastMemory},
		"at least 64 MiB":         {Start: empty, Plies: 2, Memory: LeastMemory - 1},
		"want at most 2044;": {
			Start: position(t, "2048,0/2,0 A"), Plies: 2048, Memory: LeastMemory,
		},
		"plies from 0,0/0,0 A 0 0: want at most 4094;": {Start: position(t, "0,0/0,0 A"), Plies: math.MaxInt, Memory: LeastMemory},
	} {
		if _, err := Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
}

func TestCancelledCensus(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	layers, err := Run(ctx, Config{Start: empty, Plies: 20, Memory: LeastMemory})
	if !errors.Is(err, context.Canceled) || len(layers) != 1 {
		t.Errorf("%d layers, %v", len(layers), err)
	}
}

// A census with memory for just a few blocks has exactly the same layers.
func TestAnyMemory(t *testing.T) {
	testkit.Long(t)
	settings := Config{Start: empty, Plies: 38, Memory: LeastMemory, Defenders: true}
	want := runCensus(t, settings)
	for _, few := range []struct{ blocks, ranks, workers int }{{8, 1 << 14, 3}, {3, 1 << 13, 1}, {40, 1 << 13, 8}} {
		s := settings
		s.Workers, s.Folder = few.workers, t.TempDir()
		c := newCensus(s)
		c.blocks = blocks{limit: few.blocks, ranks: few.ranks}
		for i := range c.workers {
			c.workers[i] = newWorker(few.ranks)
		}
		c.config.Memory = 1 << 16 // runs go to the folder
		layers, err := c.run(t.Context())
		if err != nil || !slices.Equal(layers, want) {
			t.Errorf("%+v: %v %v, want %v", few, err, layers, want)
		}
		if c.folder.runs == 0 {
			t.Errorf("%+v: no run was written to the folder", few)
		}
	}
}
