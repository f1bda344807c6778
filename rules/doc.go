// Package rules implements the game versus 2048 as values: boards, positions,
// moves, scores, symmetries and notation.
//
//	position := rules.NewPosition(rules.GPCC2015, rules.Full)
//	for _, text := range []string{"(1,1)", "S", "(1,1)", "S"} {
//		move, err := rules.ParseMove(text)
//		if err != nil {
//			log.Fatal(err)
//		}
//		if position, err = position.Play(move); err != nil {
//			log.Fatal(err)
//		}
//	}
//	fmt.Println(position, position.Over())
//
// The attacker places a tile on an empty cell, the defender answers by sliding all tiles in one direction, and
// so on until no slide changes the board. The defender scores the sum of all merged tiles. Columns are counted
// from the left, rows from the top, both from 1: (4,1) is the top right corner of the full board.
//
// Position is the central type: Play checks a move, Next does not, AppendMoves
// lists the legal moves. The record of a whole game is in package record.
//
// Nothing here does I/O, reads a clock, draws a random number or starts a
// goroutine, and everything is safe for concurrent use.
package rules
