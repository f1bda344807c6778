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
// In a playout both sides draw uniformly from their legal moves; under rules with chance, chance places as it
// does in the game. Play makes one playout. PlayTwo, Batch and Lanes make several, each in less time than Play.
// A Partial game draws its moves by a Policy and can be stopped on the way. ChooseRandom, ChooseGreedy and ChooseChance
// are the bots of these names in package players, without a search: stronger players are measured against them.
//
// There are two forms of a playout: one for any board and rules, and a faster one for the 4x4 game with
// placements of 2s only. Lanes play up to 32 games of the faster form side by side. With AVX-512 this takes a
// fifth of the time (docs/adr/0008-lanes.md). All randomness comes from a Generator: the same state draws the
// same game on every machine, alone or beside other games.
package playout
