// Package sweep finds the score under perfect play if that is small for the board: it
// goes through all boards that the defender can be on before the score reaches a
// ceiling, by sums of tiles, from the largest sum down to the empty board.
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
// A tile can only have come about by merges that scored some least number of points, its worth. If the tiles of
// a board are worth the ceiling, the defender has reached the ceiling, whatever happened before. The boards
// below the ceiling are few: on 4x3 with a ceiling of 640 points 1.7*10^9, of the 7*10^11 that may come about in a whole
// game. If the score under perfect play is below the ceiling it is exact, since play at either side's best
// never leaves these boards; otherwise it is at least the ceiling.
//
// The boards of a sum are numbered by their left halves, and then by their right ones, so
// that a board's place follows from the sums of its halves. A placement adds 2 or 4, so
// three sums are in memory at a time, a byte for each board.
package sweep
