// Package expectimax searches with expectimax: the defender chooses the best slide, and placements are weighted
// by their probability.
//
//	position, err := rules.ParsePosition(rules.Solo, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := expectimax.New(expectimax.Config{})
//	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
//	fmt.Printf("%v %.3f\n", move, search.Result().Moves[0].Value)
//
// The Model sets the probability of a placement: chance as in the solo game, a 4 as often as a 2, or always the
// worst placement, which makes the search a minimax. As the attacker, a Search chooses the placement that leads
// to the lowest value. Even then the model sets the probabilities of the later placements.
//
// The leaves of the tree are boards after a slide. The value of a position is the average, over the leaves, of the
// score up to the leaf plus the evaluation of the leaf. Without an evaluation it is the score, and a search to the end
// of the game finds its exact value.
//
// A board shows a 65536 as a 32768, and two 32768s do not merge in the tree. The chosen move is legal in any
// case.
package expectimax
