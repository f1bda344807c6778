// Package learning makes n-tuple networks by self-play: temporal difference learning of the values of
// boards after a slide.
//
//	settings := learning.Defaults(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
//	trainer, err := learning.New(settings)
//	if err != nil {
//		log.Fatal(err)
//	}
//	trainer.Play(context.Background(), 1000)
//	network, err := trainer.Network()
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(network.Of(0), "points for the defender on the empty board")
//
// Under solo the values are expectations against chance (Szubert and Jaskowski 2014). In the game for two both
// sides learn from each other: the value of a board is the value after the attacker's best placement and the
// defender's best slide. docs/learning.md has the formulas.
//
// With one thread, the learned weights depend on nothing but the settings and the number of games, however
// often learning was interrupted. With several threads they vary, since the threads race.
package learning
