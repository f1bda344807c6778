// Package annoying searches like ov3y's 2048-AI, as an article of 2016 describes it: alpha-beta that considers
// only the attacker's most annoying placements.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := annoying.New(annoying.Config{})
//	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
//	fmt.Println(move, search.Result().Moves[0].Value)
//
// The most annoying placements have the highest rating: the number of islands, which are connected groups of
// equal tiles, minus the smoothness (evaluation.Ov3y.Annoyance). The leaves of the tree are boards after a slide.
// Since only some placements are searched, the values are no bounds on anything: the attacker may have a better
// placement that annoys less.
//
// The original is a program for the defender of the solo game. As the attacker, a Search chooses between its
// most annoying placements, by the same tree. It also has the extensions that the author of the original wished
// for: a transposition table, threads that share it, and other evaluations.
//
// A board shows a 65536 as a 32768, and two 32768s do not merge in the tree. No game has come that far; the
// chosen move is legal in any case.
package annoying
