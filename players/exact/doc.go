// Package exact reads tables of solved games. A table has the value of every position of a small board when
// both sides play perfectly, or under solo when the defender plays perfectly against chance.
//
//	table, err := exact.Open("testdata/gpcc2015-2x2.table")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer table.Close()
//	value, err := table.Value(rules.NewPosition(table.Rules(), table.Size()))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(value.Gain, value.Plies)
//
// lab solve writes tables. Game and Builder are for the laboratory, which makes the tables.
//
// A [PuzzleBook] has puzzles, which are positions with one move that keeps the score, and the exact value of every
// move. [OwnPuzzles] returns the puzzles that come with the program, from the file puzzles.txt. lab puzzles writes such
// a file: [ParsePuzzles] describes it. The order of the file is the order of the days: everybody gets the same puzzle
// on one day.
package exact
