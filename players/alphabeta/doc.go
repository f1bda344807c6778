// Package alphabeta searches with minimax, for both roles, and skips positions that cannot change the choice.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := alphabeta.New(alphabeta.Config{})
//	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
//	fmt.Println(move, search.Result().Moves[0].Value)
//
// The zero Config is evMiniMax of Oka, Matsuzaki and Haraguchi 2015. Another evaluation rates the leaves in
// another way; package evaluation has some. Hurry counts mates by their distance, Keep keeps the table of
// positions from move to move, and Threads search together. With Reductions the choice may differ from minimax,
// but the search sees much further.
//
// If chance places the tiles, the search expects the worst placement, as the paper does for an attacker.
//
// A Search deepens iteratively. It searches boards with a transposition table. If a 65536 may come up, which a
// board cannot hold, it instead searches positions without a table.
package alphabeta
