package searching_test

import (
	"fmt"

	"versus2048/players/searching"
)

func ExampleCounter() {
	asked := 0
	count := searching.NewCounter(func() bool { asked++; return asked == 2 })
	for count.Visit() {
		count.Expanded[0]++
	}
	fmt.Println(count.Nodes, count.Expansions())
	// Output: 1024 [1023]
}
