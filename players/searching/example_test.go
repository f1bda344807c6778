package searching_test

import (
	"fmt"

	"versus2048/players/searching"
	"versus2048/rules"
)

func Example() {
	table := searching.NewTable(searching.MinBits, false, false)
	const board, plies = rules.Board(0x21), 4
	table.Keep(board, plies, -100, 100, 250, rules.West)
	known := table.Find(board, plies)
	fmt.Println(known.Value, known.Move, known.Settles(100, 200), known.Settles(100, 300))
	// Output: 250 W true false
}
