package evaluation_test

import (
	"math"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestOv3y compares with values computed by hand.
func TestOv3y(t *testing.T) {
	for board, want := range map[string]struct{ value, annoyance int }{
		"2,0/0,0 A":     {2966 + 1000, 1},                   // every line falls
		"2,0/0,2 A":     {1871 + 1000 - 2*1000, 2},          // one row falls, one rises; so do the columns
		"2,0,2/4,0,8 A": {1871 + 3000 - 100*(1+1+2), 4 + 4}, // the rows rise, the columns rise
		// Rows fall by 3 and rise by 3, columns fall by 5 and rise by 1; two pairs of neighbours.
		"2,8,2,0/0,0,0,0/0,0,0,0/0,0,0,2 A": {6709 + 3000 - 100*4 - 1000*(3+1), 4 + 4},
		"2,4/8,2 D":                         {-10_000_000 + 3000 - 100*(1+2+2+1) - 1000*(1+1), 4 + 6},
	} {
		p := searchtest.Position(t, rules.Solo, board)
		e := evaluation.NewOv3y(p.Size())
		if got := e.Of(p.Board()); got != want.value {
			t.Errorf("%s: evaluated as %d, want %d", board, got, want.value)
		}
		if got := e.Annoyance(p.Board()); got != want.annoyance {
			t.Errorf("%s: its annoyance is %d, want %d", board, got, want.annoyance)
		}
	}
}

// TestOv3yPlainly compares with the same evaluation cell by cell, on boards of games and on boards of few
// different tiles, which have larger islands.
func TestOv3yPlainly(t *testing.T) {
	g := playout.NewGenerator(12)
	for p := range searchtest.RandomPositions(g.Below, 3) {
		compareOv3y(t, p.Board(), p.Size())
	}
	for _, size := range rules.Sizes() {
		for range 500 {
			b, kinds := rules.Board(0), 2+g.Below(14)
			for y := range int(size.Height) {
				for x := range int(size.Width) {
					b |= rules.Board(g.Below(kinds)) << (4 * (4*y + x))
				}
			}
			compareOv3y(t, b, size)
		}
	}
}

func compareOv3y(t *testing.T, b rules.Board, size rules.Size) {
	t.Helper()
	e, plain := evaluation.NewOv3y(size), plainOv3y{b, int(size.Width), int(size.Height)}
	// ln is rounded to thousandths.
	if got, want := e.Of(b), plain.value(); b.EmptyCells(size) > 0 && math.Abs(float64(got)-1000*want) > 0.51 {
		t.Fatalf("%v board %x: evaluated as %d, want %.4f", size, b, got, want)
	}
	if got, want := e.Annoyance(b), plain.islands()-plain.smoothness(); got != want {
		t.Fatalf("%v board %x: its annoyance is %d, want %d", size, b, got, want)
	}
}

// plainOv3y evaluates a board cell by cell.
type plainOv3y struct {
	board         rules.Board
	width, height int
}

// at returns the log2 of a tile, 0 of an empty cell and -1 outside the board.
func (p plainOv3y) at(x, y int) int {
	if x < 0 || x >= p.width || y < 0 || y >= p.height {
		return -1
	}
	return p.board.Exponent(4*y + x)
}

func (p plainOv3y) value() float64 {
	empty, largest := 0, 0
	for y := range p.height {
		for x := range p.width {
			if p.at(x, y) == 0 {
				empty++
			}
			largest = max(largest, p.at(x, y))
		}
	}
	return 0.1*float64(p.smoothness()) + float64(p.monotonicity()) + 2.7*math.Log(float64(empty)) + float64(largest)
}

// smoothness compares each tile with its nearest tiles to the right and below.
func (p plainOv3y) smoothness() (sum int) {
	for y := range p.height {
		for x := range p.width {
			for _, d := range [][2]int{{1, 0}, {0, 1}} {
				u, v := x+d[0], y+d[1]
				for p.at(u, v) == 0 {
					u, v = u+d[0], v+d[1]
				}
				if p.at(x, y) > 0 && p.at(u, v) > 0 {
					sum -= int(math.Abs(float64(p.at(x, y) - p.at(u, v))))
				}
			}
		}
	}
	return sum
}

// monotonicity goes along every line, from each cell to the next cell that counts.
func (p plainOv3y) monotonicity() int {
	var wrong [4]int // for rows that fall, rows that rise, columns that fall, columns that rise
	walk := func(line []int, falling *int, rising *int) {
		for at := 0; at < len(line)-1; {
			next := at + 1
			for next < len(line)-1 && line[next] == 0 {
				next++
			}
			if step := line[next] - line[at]; step > 0 {
				*falling -= step
			} else {
				*rising += step
			}
			at = next
		}
	}
	for y := range p.height {
		var line []int
		for x := range p.width {
			line = append(line, p.at(x, y))
		}
		walk(line, &wrong[0], &wrong[1])
	}
	for x := range p.width {
		var line []int
		for y := range p.height {
			line = append(line, p.at(x, y))
		}
		walk(line, &wrong[2], &wrong[3])
	}
	return max(wrong[0], wrong[1]) + max(wrong[2], wrong[3])
}

// islands follows equal neighbours from every tile that is not in an earlier island.
func (p plainOv3y) islands() (n int) {
	visited := map[[2]int]bool{}
	var visit func(x, y int)
	visit = func(x, y int) {
		visited[[2]int{x, y}] = true
		for _, d := range [][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			u, v := x+d[0], y+d[1]
			if p.at(u, v) == p.at(x, y) && !visited[[2]int{u, v}] {
				visit(u, v)
			}
		}
	}
	for y := range p.height {
		for x := range p.width {
			if p.at(x, y) > 0 && !visited[[2]int{x, y}] {
				n++
				visit(x, y)
			}
		}
	}
	return n
}

// BenchmarkOv3y evaluates boards of random games, and rates them as placements.
func BenchmarkOv3y(b *testing.B) {
	var boards []rules.Board
	g := playout.NewGenerator(10)
	for len(boards) < 256 {
		for p := range searchtest.RandomGame(rules.NewPosition(rules.GPCC2015, rules.Full), g.Below) {
			boards = append(boards, p.Board())
		}
	}
	e, sum := evaluation.NewOv3y(rules.Full), 0
	b.Run("of", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			sum += e.Of(boards[i&255])
		}
	})
	b.Run("annoyance", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			sum += e.Annoyance(boards[i&255])
		}
	})
}
