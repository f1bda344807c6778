// Package puzzle reads puzzles: positions in which only one move keeps the score, with the exact value of every move.
//
//	book, err := puzzle.Parse("gpcc2015\t2,0,2/0,4,2 A 4 5\t2\t40 44\n")
//	if err != nil {
//		log.Fatal(err)
//	}
//	p, err := book.Numbered(1)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(p.Position, p.Best(), p.Level())
//
// Own has the puzzles that come with the program, from the file puzzles.txt. lab puzzles writes such a file: Parse
// describes it. The order of the file is the order of the days, by which everybody gets the same puzzle on one day.
package puzzle
