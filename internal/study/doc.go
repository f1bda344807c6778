// Package study finds the plies of a recorded game that are worth a look, and the advantage in a game.
//
//	for _, m := range study.Of(&game, ctx.Err).List {
//		fmt.Println(m.Ply, m.Why)
//	}
//
// An [Advantage] is the expected final score of a position, and its share in the points of both games of a match.
// It is exact where a table of exact values is loaded. On 4x4 the champion's networks estimate it, without a search, so
// that a value takes half a microsecond.
package study
