// Package expectimax searches with expectimax: the defender chooses the best slide, and a placement
// counts as much as it is likely.
//
//	position, err := rules.ParsePosition(rules.Solo, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := expectimax.New(expectimax.Config{})
//	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
//	fmt.Printf("%v %.3f\n", move, search.Result().Moves[0].Value)
//
// How likely a placement is, is the Model's business: chance as in the solo game, one as likely as the
// other, or the worst one always, which makes the search a minimax. As the attacker, a Search chooses
// the placement that leads to the lowest value. That of the placements to come is the model's all the
// same.
//
// The leaves of the tree are boards after a slide. The value of a position is what has been scored and
// the evaluation of the leaf, on average. Without an evaluation it is the score, and a search to the
// end of the game finds its exact value.
//
// A board shows a 65536 as a 32768, and two 32768s do not merge in the tree. The chosen move is legal
// all the same.
package expectimax
