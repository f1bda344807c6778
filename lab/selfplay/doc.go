// Package selfplay plays games of AlphaZero's search against itself, to learn from them. Many games are played
// at once, so that their searches share the batches of a network.
//
//	settings := selfplay.Defaults(rules.GPCC2016, rules.Size{Width: 2, Height: 2})
//	settings.Games, settings.Simulations = 10, 8
//	games, err := selfplay.Play(context.Background(), settings, func() (puct.Evaluator, error) { return even{}, nil })
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(games), len(games[0].Turns) > 0)
//
// A game depends on nothing but the settings, its number and the network, and not on how many are played at once.
// Write stores them as a safetensors file, so that Python can learn from them.
package selfplay
