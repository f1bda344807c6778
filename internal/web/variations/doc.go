// Package variations is the tree of moves that somebody tries out from a position: each position has a main move, and
// may have other ones, which begin variations. Its text is short enough for an address:
//
//	start := rules.NewPosition(rules.GPCC2015, rules.Full)
//	tree, err := variations.Parse(start, "(1,1) E [S (2,2)] (1,1)")
//	if err != nil {
//		log.Fatal(err)
//	}
//	node, err := tree.Play(tree.Node(2), rules.Place(4, false))
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(tree)
//	fmt.Println(node.Number, node.Position)
//
// A variation stands in brackets behind the move that it replaces.
package variations
