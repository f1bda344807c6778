package census_test

import (
	"math/big"

	"versus2048/rules"
)

// naiveSearch is a second, simple implementation of the search: it goes ply by ply and does not use symmetries.
type naiveSearch map[rules.Position]*big.Int

// ply plays a ply. Scores are removed, because they do not matter here.
func (n naiveSearch) ply() (next naiveSearch) {
	next = naiveSearch{}
	for p, lines := range n {
		for _, m := range p.AppendMoves(nil) {
			child := scoreless(p.Next(m))
			if next[child] == nil {
				next[child] = new(big.Int)
			}
			next[child].Add(next[child], lines)
		}
	}
	return next
}

// scoreless gives equal boards the same score: under gpcc2016 there can be several.
func scoreless(p rules.Position) rules.Position {
	if !p.Rules().Fours() {
		return p
	}
	q, err := rules.PositionFrom(p.Rules(), p.Tiles(), p.SideToMove(), p.Board().Potential(), p.Ply())
	if err != nil {
		panic(err)
	}
	return q
}

// total returns the number of all lines.
func (n naiveSearch) total() *big.Int {
	sum := new(big.Int)
	for _, lines := range n {
		sum.Add(sum, lines)
	}
	return sum
}

// orbits returns the lines to the positions that are over, or to the others, by canonical board.
func (n naiveSearch) orbits(over bool) map[rules.Board]*big.Int {
	orbits := map[rules.Board]*big.Int{}
	for p, lines := range n {
		if p.Over() != over {
			continue
		}
		b := p.Board().Canonical(p.Size())
		if orbits[b] == nil {
			orbits[b] = new(big.Int)
		}
		orbits[b].Add(orbits[b], lines)
	}
	return orbits
}
