// Package rules holds the game versus 2048 as values: boards, positions,
// moves, scores, symmetries and records of games.
//
//	game, err := rules.ParseRecord(`
//	[Attacker "Ada"]
//	[Defender "Bob"]
//	[Size "2x2"]
//
//	1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
//	`)
//	if err != nil {
//		log.Fatal(err)
//	}
//	position := game.Start
//	for _, move := range game.Moves {
//		if position, err = position.Play(move); err != nil {
//			log.Fatal(err)
//		}
//	}
//	fmt.Println(position, position.Over(), game.Ending)
//
// The attacker places a tile on an empty cell, the defender answers by sliding
// all tiles one way, and so on until no slide changes the board. The defender
// scores the sum of all merged tiles. Columns are counted from the left, rows
// from the top, both from 1: (4,1) is the top right corner of the full board.
//
// Position is what everything turns on: Play checks a move, Next does not,
// AppendMoves lists the legal ones. Record is a whole game, with a text form
// (WriteText, ParseRecord, RecordReader) and a JSON form.
//
// Nothing here does I/O of its own, reads a clock, draws a random number or
// starts a goroutine, and all of it may be used from many goroutines at once.
package rules
