package puct

import "fmt"

// Config sets up a search.
type Config struct {
	Nodes int // positions kept at most, at least 64; at this limit the search ends
	Batch int // leaves that are rated at once, at least 1: more are faster, and search less well

	// Base and Init are c_base and c_init of the factor c(s) = ln((1 + N + c_base) / c_base) + c_init, by
	// which priors count beside values (Silver et al. 2018).
	Base, Init float64
	// Scaled is how values become numbers from 0 to 1 beside the priors.
	Scaled Scaled

	// Reuse starts each search with what the one before has found below the position. The moves then
	// depend on the whole game.
	Reuse bool

	// Noise is the share of a Dirichlet distribution in the priors at the root, 0 to 1, and Alpha its
	// parameter. Self-play uses it to try every move; 0 is none.
	Noise, Alpha float64
	// Temperature draws the move by N^(1/Temperature), with N the visits of a move. 0 takes the move with
	// the most visits.
	Temperature float64
}

// Scaled is how values become numbers from 0, the worst for the side to move, to 1. A move that was not
// yet tried counts as 0.
type Scaled uint8

// The ways to scale.
const (
	// Tree is between the least and the greatest value in the tree (Schrittwieser et al. 2020, appendix B).
	Tree Scaled = iota
	// Siblings is between the least and the greatest value of a position and of its moves, as in mctx.
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

// Defaults returns the constants of Silver et al. 2018 and MuZero, with neither noise nor temperature.
func Defaults() Config {
	return Config{Nodes: 100_000, Batch: 1, Base: 19652, Init: 1.25, Alpha: 0.3}
}
