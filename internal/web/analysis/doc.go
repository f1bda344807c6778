// Package analysis makes the pages about positions: analysis, setting up, puzzles, exact values, hints and opinions.
// They need neither an arena nor a store, so browsers can make them, too.
//
//	position, err := analysis.PositionIn(url.Values{"position": {"2,2/0,0 D"}})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, m := range analysis.NewPage(nil, position).Moves {
//		fmt.Println(m.Text)
//	}
//
// A [Tree] has the moves that somebody tries out from a position. A position has at most one main move; each other move
// begins a variation. The text of a tree is short enough for an address: a variation stands in brackets behind the move
// that it replaces.
package analysis
