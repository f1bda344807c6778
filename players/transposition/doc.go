// Package transposition is the table in which searches of boards keep what they have found out.
//
//	table := transposition.New(transposition.MinBits, false, false)
//	const board, plies = rules.Board(0x21), 4
//	table.Keep(board, plies, -100, 100, 250, rules.West)
//	known := table.Find(board, plies)
//	fmt.Println(known.Value, known.Move, known.Settles(100, 200), known.Settles(100, 300))
//
// A search between alpha and beta finds a value, or only a bound on it. What was kept for a board
// answers another search if it settles it (Marsland 1986).
package transposition
