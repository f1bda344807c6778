// Package tidy proves that the defender forces the largest score under gpcc2015, on boards
// that are too large for a table or a search, such as 4x3.
//
//	found, err := tidy.Prove(context.Background(), tidy.Config{Size: rules.Size{Width: 4, Height: 2}, Threads: 1}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(found.Proven, found.Score)
//
// The largest score is the score of a chain: one tile of each size, from a 4 up to 2^n on n cells, and an empty
// cell. Prove goes backwards from there. A board with the attacker to move is won if every 2 can be answered by
// a slide to a won board of the next sum of tiles. So Prove finds the won boards of a sum by taking slides back
// from the won boards of the next sum. The claim is proven if the empty board is won.
//
// There are too many won boards. Only the tidy ones are kept: the largest tile is in a corner, the next one beside
// it, and each of the next two beside a larger one. From the largest tile down, this order ends before the first tile
// below 16, and before the first size with several tiles.
package tidy
