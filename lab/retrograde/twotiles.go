package retrograde

import (
	"fmt"
	"math/bits"

	"versus2048/rules"
)

// TwoTiles is the solution of solo for games that begin with two tiles, on two cells
// drawn uniformly. That is the usual start of 2048; Yamashita 2023 solved such games.
type TwoTiles struct {
	// States is the number of positions that such games can reach with the defender to
	// move. Positions equal under a symmetry count once. It is counted as the number of
	// the solution's positions without the boards with one tile. That is right on
	// boards of up to 3x3, because there the first two tiles of a game from the empty
	// board can be on any two cells, too.
	States int `json:"states"`
	// Twos is the mean value of the boards with two 2s, over all pairs of cells.
	// Least and Most are the values for the worst and the best cells.
	Twos  float64 `json:"twos"`
	Least float64 `json:"twos_least"`
	Most  float64 `json:"twos_most"`
	// Random is the mean value if each of the two tiles is a 2 (90 %) or a 4 (10 %).
	Random float64 `json:"random"`
}

// TwoTiles returns the solution of solo for games that begin with two tiles. It returns an error for other rules.
func (s *Solution) TwoTiles() (TwoTiles, error) {
	if !s.Rules().Chance() {
		return TwoTiles{}, fmt.Errorf("starts with two tiles: want the rules solo, not %v", s.Rules())
	}
	var start TwoTiles
	for _, l := range s.Layers {
		start.States += l.Defender
	}
	start.States -= s.oneTile()
	s.weighStarts(&start)
	return start, nil
}

// oneTile returns the number of boards with one tile, a 2 or a 4. Boards equal under a
// symmetry count once.
func (s *Solution) oneTile() int {
	distinct := make(map[rules.Board]bool)
	for cells := rules.Board(0).Empty(s.Size()); cells != 0; cells &= cells - 1 {
		distinct[rules.Board(cells&-cells).Canonical(s.Size())] = true
	}
	return 2 * len(distinct)
}

// weighStarts sets the values of start over all pairs of cells: the means, the least and the largest value.
func (s *Solution) weighStarts(start *TwoTiles) {
	cells := rules.Board(0).Empty(s.Size())
	pairs := float64(bits.OnesCount64(cells) * (bits.OnesCount64(cells) - 1))
	for i := cells; i != 0; i &= i - 1 {
		for j := cells &^ (i & -i); j != 0; j &= j - 1 {
			a, b := rules.Board(i&-i), rules.Board(j&-j)
			twos := s.startValue(a | b)
			start.Twos += twos / pairs
			start.Random += (0.81*twos + 0.18*s.startValue(a|b<<1) + 0.01*s.startValue(a<<1|b<<1)) / pairs
			if start.Least == 0 || twos < start.Least {
				start.Least = twos
			}
			start.Most = max(start.Most, twos)
		}
	}
}

// startValue returns the value of a board with two tiles and the defender to move.
func (s *Solution) startValue(b rules.Board) (most float64) {
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(s.Size(), m); slid != b {
			gain, _ := s.Gain(slid)
			most = max(most, gain+float64(slid.Potential()-b.Potential()))
		}
	}
	return most
}
