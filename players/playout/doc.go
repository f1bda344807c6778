// Package playout plays random games to their end, as fast as it can.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "4,2,4,2/2,4,2,4/4,2,4,2/2,4,2,2 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	random := playout.NewGenerator(1)
//	total := 0
//	for range 1000 {
//		total += playout.Play(position, &random)
//	}
//	fmt.Println(total / 1000)
//
// In a playout both sides draw uniformly from their legal moves; under rules with chance, chance
// places as it does in the game. Play makes one, PlayTwo and Batch make several in less time each. A
// Partial game draws its moves by a Policy and can be stopped on the way.
//
// There are three forms of a playout: one for any board and rules, a faster one for the 4x4 game
// in which 2s are placed, and one for 32 such games at once, which is built with
// GOEXPERIMENT=simd and needs AVX-512 (docs/adr/0008-simd.md). All randomness comes from a
// Generator: the same state draws the same games in the same build.
package playout
