package evaluation_test

import (
	"math"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// plainGradient computes the evaluation of p tile by tile.
func plainGradient(p rules.Position, g evaluation.Gradient) int {
	width, height := int(p.Size().Width), int(p.Size().Height)
	square := func(x, y int) int {
		if tile := p.Tile(x, y); tile > 0 {
			e := int(math.Log2(float64(tile)))
			return e * e
		}
		return 0
	}
	value := 0
	for _, d := range [][2]int{{1, 0}, {0, 1}} {
		falling, rising := 0, 0
		for y := 1; y <= height; y++ {
			for x := 1; x <= width; x++ {
				a, nextX, nextY := square(x, y), x+d[0], y+d[1]
				if a > 0 {
					value += g.Tile + g.Size*a
				}
				if nextX > width || nextY > height {
					continue
				}
				switch b := square(nextX, nextY); {
				case a == b:
					value += g.Equal * a
				case a > b:
					falling -= g.Along * (a - b)
					rising -= g.Against * (a - b)
				default:
					falling -= g.Against * (b - a)
					rising -= g.Along * (b - a)
				}
			}
		}
		value += max(falling, rising)
	}
	return value
}

// TestGradient compares Of and Slide with the sums over the cells.
func TestGradient(t *testing.T) {
	g := playout.NewGenerator(12)
	weights := []evaluation.Gradient{evaluation.Slope(), evaluation.Reserve(), evaluation.Room(), {Along: -3, Against: 1, Equal: -7, Tile: -100, Size: 9}}
	made := map[rules.Size][]*evaluation.Directed{}
	for p := range searchtest.RandomPositions(g.Below, 4) {
		size, b := p.Size(), p.Board()
		for len(made[size]) < len(weights) {
			made[size] = append(made[size], weights[len(made[size])].On(size))
		}
		for i, e := range made[size] {
			if got, want := e.Of(b), plainGradient(p, weights[i]); got != want {
				t.Fatalf("%+v, %v: evaluated as %d, want %d", weights[i], p, got, want)
			}
			for m := rules.North; m <= rules.East; m++ {
				slid, v := e.Slide(b, b.Transpose(), m)
				if want := b.Slide(size, m); slid != want || v != e.Of(want) {
					t.Fatalf("%+v, %v slid %v: %x evaluated as %d, want %x as %d", weights[i], p, m, slid, v, want, e.Of(want))
				}
			}
		}
	}
}

// TestGradientValues checks the weights on boards with values that are easy to add up.
func TestGradientValues(t *testing.T) {
	for text, want := range map[string][2]int{ // by Slope and by Reserve
		"2,2/2,2 D":           {2 * 4, 12*4 + 2*77*4},
		"4,2/2,0 D":           {-2 * (3 + 1 + 3 + 1), 2 * (68 + 77 + 77)},
		"2,4/4,2 D":           {-2 * (2*3 + 8*3), -2*(16*3) + 2*(77+68+68+77)},
		"32768,2/0,2 A":       {-(2*224 + 8*1) - (2*225 - 2*1), -16*1 + 12*1 + 2*(80-3*225+77+77)},
		"0,0,0,0/0,0,0,0 A":   {0, 0},
		"8,8,8,8/8,8,8,8 D":   {2 * 9 * 10, 12*9*10 + 2*(80-27)*8},
		"16,8,4,2/16,8,4,2 D": {-2*2*15 + 2*30, 12*30 + 4*(32+53+68+77)},
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		for i, g := range []evaluation.Gradient{evaluation.Slope(), evaluation.Reserve()} {
			if got := g.On(p.Size()).Of(p.Board()); got != want[i] {
				t.Errorf("%s, %+v: evaluated as %d, want %d", text, g, got, want[i])
			}
		}
	}
}

// TestLargestSums checks that the values of the largest tiles fit.
func TestLargestSums(t *testing.T) {
	for _, text := range []string{
		"32768,0,32768,0/0,32768,0,32768/32768,0,32768,0/0,32768,0,32768 A",
		"32768,32768,32768,32768/32768,32768,32768,32768/32768,32768,32768,32768/32768,32768,32768,32768 D",
		"32768,2,32768,2/2,32768,2,32768/32768,2,32768,2/2,32768,2,32768 D",
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		for _, g := range []evaluation.Gradient{evaluation.Slope(), evaluation.Reserve(), evaluation.Room()} {
			if got, want := g.On(rules.Full).Of(p.Board()), plainGradient(p, g); got != want {
				t.Errorf("%s: evaluated as %d, want %d", text, got, want)
			}
		}
	}
}
