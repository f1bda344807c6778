// Package study finds the plies of a recorded game that are worth looking at.
//
//	for _, m := range study.Of(ctx, &game, true).List {
//		fmt.Println(m.Ply, m.Why)
//	}
package study
