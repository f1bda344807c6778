// Package alphabeta searches with minimax to a fixed depth, as evMiniMax of Oka, Matsuzaki and
// Haraguchi 2015 does, but it skips positions that cannot change the choice.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := alphabeta.New(alphabeta.Config{Depth: 3})
//	never := func() bool { return false }
//	move := search.Choose(position, position.AppendMoves(nil), never)
//	fmt.Println(move, search.Stats().Moves[0].Value)
//
// The leaves of the tree are evaluated by package evaluation. Where chance places the tiles the
// search expects the worst placement, as the paper does of an attacker.
//
// A Search deepens iteratively. It searches boards with a transposition table. Only if a 65536 may
// come up, which a board cannot hold, does it search positions, without a table.
package alphabeta
