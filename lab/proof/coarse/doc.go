// Package coarse proves upper bounds of the score on boards that are too large for a
// search or a sweep, such as 4x4 under gpcc2016: it shows that the attacker can end the
// game before the defender makes a tile of some size.
//
//	found, err := coarse.Prove(context.Background(), coarse.Config{
//		Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Large: 4, Tile: 8, Threads: 1,
//	}, nil, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(found.Proven, found.From)
//
// A coarse board has one kind of tile, large, for all tiles of 2^Large and more. The worth of these tiles
// together is known all the same: it is the sum of all tiles minus the smaller ones, and only placements change
// that sum. This worth is V times 2^Large. V in binary has some number of ones, and there are at least as many
// large tiles. So the number of pairs of large tiles that can merge before another large tile is made is at most
// the number of large tiles minus the number of ones. On a coarse board the defender chooses the pairs that merge.
// So if the attacker forces something there, it forces the same on all real boards that the coarse board stands for.
//
// The defender has reached its aim, a tile of 2^Tile, at the earliest when V comes to 2^(Tile-Large). Shortly
// before, V has as many ones as it ever has: the board is crowded with large tiles that cannot merge, and the
// attacker has to fill the rest. Prove goes through the sums of tiles, the largest first, and finds the lost
// boards: the boards that may still lead the defender to its tile. If a sum has none, the attacker places 2s
// until the tiles have that sum, and wins from there on any board. On 3x3 with Large 4 no board of sum 218 is
// lost for the attacker. So the attacker never lets the defender have a 256.
//
// Few boards are lost, and Prove looks only at boards that may be lost. On a lost board every 2, also one on the first
// empty cell, has an answer: a slide to a lost board of the next sum, or a slide that makes enough large tiles for the
// defender's aim. So Prove takes slides back from each lost board, to find the boards that lead there by such a 2, and
// adds the boards where a slide makes enough large tiles.
package coarse
