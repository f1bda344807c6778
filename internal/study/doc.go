// Package study finds the plies of a recorded game that are worth looking at, and how a game stands.
//
//	for _, m := range study.Of(&game, ctx.Err).List {
//		fmt.Println(m.Ply, m.Why)
//	}
//
// An [Advantage] is the final score to which a position leads, and the share that it has in the points of both games of
// a match. Tables of exact values know it where they are loaded. On 4x4 the networks that come with the program expect
// it: the networks of the champion, but without its search, so that a value takes half a microsecond.
package study
