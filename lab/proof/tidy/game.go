package tidy

import (
	"math/bits"
	"slices"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// game is the board and its slides.
type game struct {
	order
	config  Config
	origins *proof.Origins
	twos    *proof.FirstTwos
}

func newGame(c Config) *game {
	return &game{newOrder(c.Size), c, proof.NewOrigins(c.Size, c.cells()), proof.NewFirstTwos(c.Size)}
}

// wins reports whether the defender can answer every 2 by a slide to a board of the next layer.
func (g *game) wins(b rules.Board, next *certificate.BoardSet) bool {
	for cells := b.Empty(g.config.Size); cells != 0; cells &= cells - 1 {
		if !g.answers(b.With(bits.TrailingZeros64(cells)/4, 1), next) {
			return false
		}
	}
	return true
}

// answers reports whether a slide of b leads to a board of the next layer.
func (g *game) answers(b rules.Board, next *certificate.BoardSet) bool {
	for m := rules.North; m <= rules.East; m++ {
		if after := b.Slide(g.config.Size, m); after != b && next.Has(after.Canonical(g.config.Size)) {
			return true
		}
	}
	return false
}

// chains returns the canonical tidy boards that have one tile of each size from 4 on, and an empty cell.
func (g *game) chains() (all []rules.Board) {
	var fill func(k int, b rules.Board)
	fill = func(k int, b rules.Board) {
		if k == 1 {
			if b.Canonical(g.config.Size) == b {
				all = append(all, b)
			}
			return
		}
		for cells := b.Empty(g.config.Size); cells != 0; cells &= cells - 1 {
			if next := b.With(bits.TrailingZeros64(cells)/4, k); g.tidy(next) {
				fill(k-1, next)
			}
		}
	}
	fill(g.config.cells(), 0)
	slices.Sort(all)
	return all
}
