// Package study finds the plies of a recorded game that are worth looking at.
//
//	for _, m := range study.Of(&game, ctx.Err).List {
//		fmt.Println(m.Ply, m.Why)
//	}
package study
