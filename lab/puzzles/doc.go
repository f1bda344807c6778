// Package puzzles makes puzzles: positions in which exactly one move keeps the score under perfect play.
//
//	settings := puzzles.Settings{Seed: 1, PerKind: 4, Sizes: []rules.Size{{Width: 3, Height: 2}}, Workers: 1}
//	book, err := puzzles.Make(context.Background(), settings, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(book.Puzzles))
//
// A kind of puzzles is one side of a game: rules, size and role. On boards that can be solved, the positions are from
// games between players that mix perfect and random moves, and the values from the solution. On 4x4 they are the
// endings of games between strong bots, with values from a search to the end: see search.
package puzzles
