package viewer

import (
	"context"
	"slices"

	"versus2048/internal/study"
)

// Mark is a ply worth looking at.
type Mark = study.Mark

// Marks returns, in the order of plies, each side's worst moves, and the last ply if a fault or a resignation ended the
// game. It leaves out the marks of new tiles. It returns early, with the marks found so far, when ctx ends.
func (g *Game) Marks(ctx context.Context) []Mark {
	return slices.DeleteFunc(study.Of(g.Record, ctx.Err).List, func(m Mark) bool { return m.Kind == study.Tile })
}
