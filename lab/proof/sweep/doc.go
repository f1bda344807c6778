// Package sweep finds the score under perfect play if that score is below a ceiling. It computes the values of all
// boards that can come up before the score reaches the ceiling, from the largest sum of tiles down to the empty board.
//
//	s, err := sweep.Open(sweep.Config{
//		Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Ceiling: 100, Threads: 1,
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	if err := s.Run(context.Background(), nil); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(s.Score())
//
// The worth of a tile is the least number of points that the merges into it have scored. If the tiles of a board are
// worth the ceiling, the defender has reached the ceiling, whatever happened before. The boards below the ceiling are
// few: 1.7*10^9 on 4x3 with a ceiling of 640 points, while a whole game may have 7*10^11. A score below the ceiling
// is exact, since the best play of both sides never leaves these boards. Otherwise the score under perfect play is at
// least the ceiling.
//
// The boards of a sum are numbered by their left halves, and then by their right ones, so that a board's place follows
// from tables of its halves. A placement adds 2 or 4, so three sums are in memory at a time, a byte for each board.
package sweep
