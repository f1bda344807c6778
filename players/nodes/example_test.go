package nodes_test

import (
	"fmt"

	"versus2048/players/nodes"
)

func Example() {
	asked := 0
	count := nodes.New(func() bool { asked++; return asked == 2 })
	for count.Visit() {
		count.Expanded[0]++
	}
	fmt.Println(count.Nodes, count.Expansions())
	// Output: 1024 [1023]
}
