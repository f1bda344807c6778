// Package mcts has the Monte-Carlo tree searches of Oka, Matsuzaki and Haraguchi 2015, and an extended one.
//
//	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
//	if err != nil {
//		log.Fatal(err)
//	}
//	search := mcts.New(mcts.Config{
//		Nodes: 10_000, Exploration: 1000, ExpandAt: 5, Threads: 1,
//	})
//	random := playout.NewGenerator(7)
//	move := search.Choose(position, &random, searching.Budget{Playouts: 1000})
//	fmt.Println(move, search.Result().Playouts)
//
// A Search chooses with UCB1 and rates leaves by random playouts. In a tree it is the MCTS of the paper. In a
// graph, with one node for equal positions, it is the paper's MCTS2. A Plus searches such a graph with
// extensions that the paper left for later: evaluated leaves, other ways to back up values, other playouts and
// rewards.
//
// A Pool lets the searches of several games make their playouts side by side, without changing any search.
//
// A Search and a Plus choose the moves of one side in one game. They keep their memory from move to move, so that they
// allocate little after the first move.
package mcts
