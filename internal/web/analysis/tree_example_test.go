package analysis_test

import (
	"fmt"
	"log"

	"versus2048/internal/web/analysis"
	"versus2048/rules"
)

func ExampleParseTree() {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	tree, err := analysis.ParseTree(start, "(1,1) E [S (2,2)] (1,1)")
	if err != nil {
		log.Fatal(err)
	}
	node, err := tree.Play(tree.Node(2), rules.Place(4, false))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree)
	fmt.Println(node.Number, node.Position)
	// Output:
	// (1,1) E [S (2,2)] (1,1) [(1,2)]
	// 6 0,0,0,2/2,0,0,0/0,0,0,0/0,0,0,0 D 0 3
}
