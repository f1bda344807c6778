// Package retrograde solves the game on small boards: it computes the value of every
// position when both sides play perfectly, or against chance under solo.
//
//	solution, err := retrograde.Solve(context.Background(), rules.GPCC2016, rules.Size{Width: 2, Height: 2}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	position, err := rules.ParsePosition(rules.GPCC2016, "0,2/0,0 A")
//	if err != nil {
//		log.Fatal(err)
//	}
//	moves, err := solution.Moves(position)
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, m := range moves {
//		fmt.Println(m.Move, m.Value.Gain, m.Value.Plies)
//	}
//
// Solve works by sums of tiles (Yamashita 2023). Its result contains an exact.Table. WriteFile of the table
// writes the file that players and pages read.
//
// A Tree is the complete game on a board that is small enough, drawn as a layered graph as in Figure 4.2 of Yamashita's
// thesis on small boards (2023): the sum of the tiles grows from top to bottom, and perfect moves and mated positions
// are highlighted. Its values are computed by plain backward induction, as a reference for Solve.
package retrograde
