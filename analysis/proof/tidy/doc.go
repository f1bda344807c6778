// Package tidy proves that the defender forces the largest score under gpcc2015, on boards
// that are too large for a table or a search, such as 4x3.
//
//	found, err := tidy.Prove(context.Background(), tidy.Config{Size: rules.Size{Width: 4, Height: 2}, Threads: 1}, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(found.Proven, found.Score)
//
// The largest score is that of a chain: one tile of each size, from a 4 up to 2^n on n
// cells, and an empty cell. From there the boards are found, with the attacker to move, on which
// the defender has an answer to every 2 that keeps it on the way: those of a sum of tiles from those of the
// next sum, by taking slides back. The claim is proven if the empty board is among them.
//
// All such boards would be too many. Only the tidy ones are looked for, as a defender needs no others: the
// largest tile is in a corner, the next one beside it, and each of the next two beside a larger one, as far as these
// tiles are 16 or more and there is one of each size.
package tidy
