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
// Solve works by sums of tiles (Yamashita 2023). Its result is an exact.Table, whose
// WriteFile writes the file from which players and pages read.
package retrograde
