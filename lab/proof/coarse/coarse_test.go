package coarse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

func size(w, h uint8) rules.Size { return rules.Size{Width: w, Height: h} }

// The proven bounds are above the exact scores (docs/report.md), from the largest sum without a lost board.
func TestProven(t *testing.T) {
	for _, c := range testkit.Shortened(t, []struct {
		Config
		score int // under perfect play
		from  int
	}{
		{Config{Rules: rules.GPCC2016, Size: size(2, 2), Large: 3, Tile: 4}, 8, 10},
		{Config{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 6}, 40, 22},
		{Config{Rules: rules.GPCC2016, Size: size(2, 3), Large: 3, Tile: 5}, 40, 8},
		{Config{Rules: rules.GPCC2016, Size: size(4, 2), Large: 4, Tile: 6}, 112, 32},
		{Config{Rules: rules.GPCC2016, Size: size(4, 2), Large: 3, Tile: 8}, 112, 38},
		{Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 7}, 164, 26},
		{Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 3, Tile: 9}, 164, 490},
	}, 4) {
		t.Run(fmt.Sprint(c.Config), func(t *testing.T) {
			c.Threads = 2
			r, err := Prove(t.Context(), c.Config, nil, nil)
			if err != nil || !r.Proven || r.From != c.from || r.Bound < c.score {
				t.Errorf("found %+v, error %v; want from %d, and a bound of %d or more", r, err, c.from, c.score)
			}
			one := c.Config
			one.Threads = 1
			if alone, err := Prove(t.Context(), one, nil, nil); err != nil || alone != r {
				t.Errorf("with one thread %+v, error %v; want %+v", alone, err, r)
			}
		})
	}
}

// A tile that the defender can make cannot be denied to it: under gpcc2015 the largest tile of each solved
// board, under gpcc2016 a tile that the scores imply.
func TestNotProven(t *testing.T) {
	for _, c := range testkit.Shortened(t, []Config{
		{Rules: rules.GPCC2015, Size: size(2, 2), Large: 3, Tile: 4},
		{Rules: rules.GPCC2015, Size: size(3, 2), Large: 3, Tile: 6},
		{Rules: rules.GPCC2015, Size: size(3, 2), Large: 4, Tile: 6},
		{Rules: rules.GPCC2015, Size: size(4, 2), Large: 3, Tile: 8},
		{Rules: rules.GPCC2015, Size: size(4, 2), Large: 4, Tile: 8},
		{Rules: rules.GPCC2015, Size: size(3, 3), Large: 4, Tile: 9},
		{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 4},
		{Rules: rules.GPCC2016, Size: size(3, 3), Large: 3, Tile: 5},
		{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 5},
	}, 3) {
		c.Threads = 1
		if r, err := Prove(t.Context(), c, nil, nil); err != nil || r.Proven || r.Lost == 0 || r.Sum != 0 {
			t.Errorf("%+v: found %+v, error %v; want it not proven", c, r, err)
		}
	}
}

// real decides the game itself: can the defender to move, or after any placement, make a
// tile of 2^tile?
type real struct {
	config Config
	known  map[rules.Board]bool // with the attacker to move
}

func (g *real) makes(b rules.Board) bool {
	b = b.Canonical(g.config.Size)
	if makes, known := g.known[b]; known {
		return makes
	}
	makes := true
	for cell := range 16 {
		if b.Empty(g.config.Size)>>(4*cell)&1 == 0 {
			continue
		}
		for k := 1; k <= 2; k++ {
			makes = makes && (k == 2 && !g.config.Rules.Fours() || g.answers(b.With(cell, k)))
		}
	}
	g.known[b] = makes
	return makes
}

func (g *real) answers(b rules.Board) bool {
	for m := rules.North; m <= rules.East; m++ {
		if after := b.Slide(g.config.Size, m); after != b && (g.has(after) || g.makes(after)) {
			return true
		}
	}
	return false
}

func (g *real) has(b rules.Board) bool {
	for cell := range 16 {
		if b.Exponent(cell) >= g.config.Tile {
			return true
		}
	}
	return false
}

// On every real board behind a coarse board that is not lost, the attacker wins the real game.
func TestRealBoards(t *testing.T) {
	for _, c := range []Config{
		{Rules: rules.GPCC2016, Size: size(2, 2), Large: 3, Tile: 5, Threads: 1},
		{Rules: rules.GPCC2015, Size: size(2, 2), Large: 3, Tile: 4, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 5, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(2, 3), Large: 3, Tile: 6, Threads: 1},
		{Rules: rules.GPCC2015, Size: size(3, 2), Large: 3, Tile: 5, Threads: 1},
		{Rules: rules.GPCC2015, Size: size(3, 2), Large: 4, Tile: 6, Threads: 1},
	} {
		g, exact := newGame(c), &real{config: c, known: map[rules.Board]bool{}}
		boards := map[int][]rules.Board{}
		var list func(b rules.Board, i int)
		list = func(b rules.Board, i int) {
			if i == c.cells() {
				boards[b.Sum()] = append(boards[b.Sum()], b)
				return
			}
			list(b, i+1)
			for k := 1; k < c.Tile; k++ {
				list(b.With(i/int(c.Size.Width)*4+i%int(c.Size.Width), k), i+1)
			}
		}
		list(0, 0)
		found, won, wrong := map[int]*certificate.BoardSet{g.top() + 2: certificate.NewBoardSet(nil), g.top() + 4: certificate.NewBoardSet(nil)}, 0, 0
		for sum := g.top(); sum >= 0; sum -= 2 {
			now, _, err := g.lost(t.Context(), &layer{game: g, sum: sum, two: found[sum+2], four: found[sum+4]})
			if err != nil {
				t.Fatal(err)
			}
			all := certificate.NewBoardSet(now)
			found[sum] = all
			for _, b := range boards[sum] {
				if b.Empty(c.Size) == 0 || c.worth(b) > c.most() || slices.Contains(now, c.coarse(b).Canonical(c.Size)) {
					continue
				}
				if won++; exact.makes(b) {
					wrong++
				}
			}
		}
		if won < 10 || wrong > 0 {
			t.Errorf("%+v: of %d boards that are said to be won for the attacker %d are not", c, won, wrong)
		}
	}
}

// worth returns the worth of the large tiles of a real board, in units of 2^Large.
func (c Config) worth(b rules.Board) (sum int) {
	for i := range 16 {
		if k := b.Exponent(i); k >= c.Large {
			sum += 1 << (k - c.Large)
		}
	}
	return sum
}

// coarse returns the coarse board of a real one.
func (c Config) coarse(b rules.Board) (coarse rules.Board) {
	for i := range 16 {
		if k := b.Exponent(i); k > 0 {
			coarse = coarse.With(i, min(k, c.Large))
		}
	}
	return coarse
}

// coarseBoards returns the canonical coarse boards with an empty cell, by the sum of their tiles. A board is there for
// each worth that its large tiles may have.
func coarseBoards(c Config) map[int][]rules.Board {
	boards := map[int][]rules.Board{}
	var list func(b rules.Board, cell, small, large int)
	list = func(b rules.Board, cell, small, large int) {
		if cell < c.cells() {
			at := cell/int(c.Size.Width)*4 + cell%int(c.Size.Width)
			list(b, cell+1, small, large)
			for k := 1; k < c.Large; k++ {
				list(b.With(at, k), cell+1, small+1<<k, large)
			}
			list(b.With(at, c.Large), cell+1, small, large+1)
			return
		}
		for worth := 0; worth <= c.most() && b.Canonical(c.Size) == b && b.Empty(c.Size) != 0; worth++ {
			if canBe(large, worth) {
				boards[small+worth<<c.Large] = append(boards[small+worth<<c.Large], b)
			}
		}
	}
	list(0, 0, 0, 0)
	return boards
}

// made returns the number of large tiles that slides of a board along rows make.
func made(b rules.Board, c Config) (n int) {
	for y := range int(c.Size.Height) {
		last := 0
		for x := range int(c.Size.Width) {
			switch k := b.Exponent(4*y + x); {
			case k == 0:
			case k == last && k == c.Large-1:
				n, last = n+1, 0
			case k == last:
				last = 0
			default:
				last = k
			}
		}
	}
	return n
}

// The makers of a layer are the boards with a slide after which the large tiles are worth too much. A look at the slides
// of all boards finds the same boards.
func TestMakers(t *testing.T) {
	for _, s := range []rules.Size{size(3, 2), size(2, 3), size(2, 2), size(3, 3)} {
		c := Config{Rules: rules.GPCC2016, Size: s, Large: 3, Tile: min(6, s.Cells()), Threads: 1}
		g, across, compared := newGame(c), c, 0
		across.Size = size(s.Height, s.Width)
		for sum, boards := range coarseBoards(c) {
			var want []rules.Board
			for _, b := range boards {
				large, small := tilesOf(b, c.Large)
				if g.class(large, small, sum).worth+max(made(b, c), made(b.Transpose(), across)) > c.most() {
					want = append(want, b)
				}
			}
			have, err := proof.Collect(t.Context(), 1, (&layer{game: g, sum: sum}).makers())
			slices.Sort(want)
			if err != nil || !slices.Equal(have, want) {
				t.Errorf("%v, sum %d: %d boards, error %v; want %d", s, sum, len(have), err, len(want))
			}
			compared += len(want)
		}
		if compared == 0 {
			t.Errorf("%v: no boards were compared", s)
		}
	}
}

// canBe reports whether a number of powers of two can have a sum.
func canBe(number, sum int) bool {
	if number == 0 {
		return sum == 0
	}
	for power := 1; power <= sum; power *= 2 {
		if canBe(number-1, sum-power) {
			return true
		}
	}
	return false
}

func TestStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	layers := 0
	c := Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 8, Threads: 2}
	r, err := Prove(ctx, c, nil, func(Progress) {
		if layers++; layers == 3 {
			stop()
		}
	})
	if !errors.Is(err, proof.ErrStopped) || r.Proven || layers != 3 || r.Computed == 0 {
		t.Errorf("stopped after %d layers: %+v, error %v", layers, r, err)
	}
}

func TestWrongSettings(t *testing.T) {
	good := Config{Rules: rules.GPCC2016, Size: size(3, 3), Large: 4, Tile: 8, Threads: 1}
	for want, change := range map[string]func(*Config){
		"no attacker":     func(c *Config) { c.Rules = rules.Solo },
		"large tiles":     func(c *Config) { c.Large = 2 },
		"want 2^5 to 2^1": func(c *Config) { c.Tile = 4 },
		"0 threads":       func(c *Config) { c.Threads = 0 },
	} {
		c := good
		change(&c)
		if _, err := Prove(t.Context(), c, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", c, err, want)
		}
	}
}

func TestBound(t *testing.T) {
	c := Config{Rules: rules.GPCC2016, Size: size(2, 2), Large: 3, Threads: 1}
	// An 8 and three 4s score 28, a 16, an 8 and two 4s 72.
	for _, below := range []struct{ score, tile, bound int }{{29, 4, 28}, {72, 4, 28}, {73, 5, 72}, {10000, 7, 512}} {
		got, err := c.ForScore(below.score)
		if err != nil || got.Tile != below.tile || got.Bound() != below.bound {
			t.Errorf("below %d: tile %d, bound %d, error %v; want %d and %d", below.score, got.Tile, got.Bound(), err, below.tile, below.bound)
		}
	}
	if _, err := c.ForScore(28); err == nil || !strings.Contains(err.Error(), "no limit below 29 can be proven") {
		t.Errorf("below 28: error %v", err)
	}
	for _, large := range []int{-60, -1, 0, 2, 9, 1 << 40} {
		c.Large = large
		if _, err := c.ForScore(1400); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("large tiles from 2^%d: ", large)) {
			t.Errorf("large tiles from 2^%d: error %v", large, err)
		}
	}
}

func BenchmarkProve(b *testing.B) {
	c := Config{Rules: rules.GPCC2016, Size: size(4, 2), Large: 4, Tile: 7, Threads: 1}
	boards := int64(0)
	for b.Loop() {
		r, err := Prove(b.Context(), c, nil, nil)
		if err != nil || !r.Proven {
			b.Fatal(r, err)
		}
		boards += r.Computed
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(boards), "ns/board")
}

// The boards that are decided are enough: going through all boards of all layers finds no more that are lost.
func TestNoMoreAreLost(t *testing.T) {
	for _, c := range testkit.Shortened(t, []Config{
		{Rules: rules.GPCC2016, Size: size(3, 2), Large: 3, Tile: 6, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(2, 3), Large: 3, Tile: 6, Threads: 1},
		{Rules: rules.GPCC2015, Size: size(3, 2), Large: 4, Tile: 6, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(3, 3), Large: 3, Tile: 7, Threads: 1},
		{Rules: rules.GPCC2016, Size: size(4, 2), Large: 3, Tile: 7, Threads: 1},
	}, 3) {
		g, compared := newGame(c), 0
		p, boards := &prover{game: g, layers: map[int]*certificate.BoardSet{}}, coarseBoards(c)
		for sum := g.top(); sum >= 0; sum -= 2 {
			l := &layer{game: g, sum: sum, two: p.layer(sum + 2), four: p.layer(sum + 4)}
			want := l.lost(nil, boards[sum])
			slices.Sort(want)
			have, _, err := g.lost(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			compared += len(want)
			if !slices.Equal(have, want) {
				t.Fatalf("%+v, sum %d: %d lost boards, want %d", c, sum, len(have), len(want))
			}
			if err := p.add(certificate.Layer{Sum: sum, Boards: want}); err != nil {
				t.Fatal(err)
			}
		}
		if compared < 20 {
			t.Errorf("%+v: only %d lost boards were compared", c, compared)
		}
	}
}
