// Package searching is shared by the searches. Each search takes a Budget for a move and returns a Result. The
// searches of boards also share the interface of an Evaluation, the Table for their results, and a Counter of the
// visited positions, which ends the search in time.
//
//	table := searching.NewTable(searching.MinBits, false, false)
//	const board, plies = rules.Board(0x21), 4
//	table.Keep(board, plies, -100, 100, 250, rules.West)
//	known := table.Find(board, plies)
//	fmt.Println(known.Value, known.Move, known.Settles(100, 200), known.Settles(100, 300))
//
// A search between alpha and beta finds a value, or only a bound on it. Either may answer a later search of the same
// board: see Known.Settles (Marsland 1986).
package searching
