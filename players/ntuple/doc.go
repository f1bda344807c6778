// Package ntuple values boards with n-tuple networks: sums of weights, one for each small group of cells and
// its content.
//
//	network, err := ntuple.Open("4x4-gpcc2015.ntuple")
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer network.Close()
//	position, err := rules.ParsePosition(network.Rules(), "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 A")
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(network.Of(position.Board()), "points are still to come")
//
// A tuple is a list of n cells. The content of these cells selects one of the tuple's 16^n weights. All
// rotations and reflections of the board select one each, from the same weights. The value of a board is the
// sum of the selected weights (Szubert and Jaskowski, "Temporal difference learning of n-tuple networks for the
// game 2048", 2014). Values are in points: the defender's further score from a board with the attacker, or
// chance, to move.
//
// Package learning makes networks.
package ntuple
