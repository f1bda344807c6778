package puct

import "fmt"

// Config sets up a search.
type Config struct {
	Nodes int // positions kept at most, at least 64; the search ends at this limit
	Batch int // leaves that are rated at once, at least 1: a larger batch is faster, but searches less well

	// Base and Init are c_base and c_init of the factor c(s) = ln((1 + N + c_base) / c_base) + c_init. The
	// factor is the weight of priors in comparison with values (Silver et al. 2018).
	Base, Init float64
	// Scaled selects the conversion of values to numbers from 0 to 1, which are added to the terms of the
	// priors.
	Scaled Scaled

	// Reuse starts each search with the part of the previous tree below the position. The moves then depend on
	// the whole game.
	Reuse bool

	// Noise is the share of a Dirichlet distribution in the priors at the root, 0 to 1, and Alpha is its
	// parameter. Self-play uses noise to try every move; 0 is none.
	Noise, Alpha float64
	// Temperature draws the move by N^(1/Temperature), with N the visits of a move. 0 takes the move with the
	// most visits.
	Temperature float64
}

// Scaled selects the conversion of values to numbers from 0, the worst for the side to move, to 1. A move that
// was not tried yet counts as 0.
type Scaled uint8

// The ways to scale.
const (
	// Tree scales between the smallest and the largest value in the tree (Schrittwieser et al. 2020, appendix
	// B).
	Tree Scaled = iota
	// Siblings scales between the smallest and the largest value of a position and of its moves, as in mctx.
	Siblings
)

var scaledNames = [...]string{"tree", "siblings"}

// String returns the name of an option's value.
func (s Scaled) String() string {
	if int(s) < len(scaledNames) {
		return scaledNames[s]
	}
	return fmt.Sprintf("Scaled(%d)", uint8(s))
}

// Defaults returns the constants of Silver et al. 2018 and MuZero, without noise and temperature.
func Defaults() Config {
	return Config{Nodes: 100_000, Batch: 1, Base: 19652, Init: 1.25, Alpha: 0.3}
}
