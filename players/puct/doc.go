// Package puct has searches that are guided by networks: that of AlphaZero for two roles, and that of
// Stochastic MuZero for a learned model of the game against chance.
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
// A Search asks an Evaluator for the policy and the value of positions, a ModelSearch a Model for those of
// states. Both choose the moves of one game, and keep their memory from move to move. Networks are an
// Evaluator and a Model by way of NewNetwork and NewNetworkModel.
//
// Values are final scores in points. A Search averages them on the scale of its network, on which four
// orders of magnitude of points fit, and then scales them to numbers from 0 to 1 (see Scaled).
package puct
