// Package puct has searches that are guided by networks: the search of AlphaZero for two roles, and the search
// of Stochastic MuZero for a learned model of the game against chance.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,2/0,4 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	config := puct.Defaults()
//	config.Simulations = 50
//	search := puct.New(config, even{})
//	random := playout.NewGenerator(7)
//	never := func() bool { return false }
//	move := search.Choose(position, &random, never)
//	fmt.Println(move, search.Stats().Simulations)
//
// A Search asks an Evaluator for the policy and the value of positions. A ModelSearch asks a Model for the
// policy and the value of states. Both choose the moves of one game, and keep their memory from move to move.
// NewNetwork makes an Evaluator from a network, and NewNetworkModel a Model.
//
// Values are final scores in points. A Search averages them on the scale of its network, which has room for
// four orders of magnitude of points, and then scales them to numbers from 0 to 1 (see Scaled).
package puct
