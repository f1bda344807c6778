// Package puct has searches that are guided by networks: the search of AlphaZero for two roles, and the search
// of Stochastic MuZero for a learned model of the game against chance.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,2/0,4 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := puct.New(puct.Defaults(), even{})
//	random := playout.NewGenerator(7)
//	move := search.Choose(position, &random, searching.Budget{Playouts: 50})
//	fmt.Println(move, search.Result().Nodes)
//
// A Search asks an Evaluator for the policy and the value of positions. A ModelSearch asks a Model for the
// policy and the value of states. Both choose the moves of one game, and keep their allocated memory from move to move.
// NewNetwork makes an Evaluator from a network, and NewNetworkModel a Model.
//
// Values are final scores in points. A Search averages them on the scale of its network (see Scale), since points
// differ by up to four orders of magnitude; under solo it averages points. It then converts the means to numbers from
// 0 to 1 (see Scaled).
package puct
