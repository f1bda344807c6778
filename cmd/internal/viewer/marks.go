package viewer

import (
	"context"
	"slices"

	"versus2048/internal/study"
)

// Mark is a ply worth looking at.
type Mark = study.Mark

// Marks returns the plies of a game that are worth looking at, in their order: the last one if a fault or
// a resignation ended the game there, and the worst moves of each side. It returns early, with the marks
// found so far, when ctx ends.
func (g *Game) Marks(ctx context.Context) []Mark {
	return slices.DeleteFunc(study.Of(g.Record, ctx.Err).List, func(m Mark) bool { return m.Kind == study.Tile })
}
