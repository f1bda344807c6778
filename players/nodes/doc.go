// Package nodes counts the positions that a search visits, and ends the search in time.
//
//	asked := 0
//	count := nodes.New(func() bool { asked++; return asked == 2 })
//	for count.Visit() {
//		count.Expanded[0]++
//	}
//	fmt.Println(count.Nodes, count.Expansions())
package nodes
