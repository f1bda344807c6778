package axes_test

import (
	"fmt"

	"versus2048/internal/text/axes"
)

func Example() {
	for _, tick := range axes.Ticks(0, 74000, 6) {
		fmt.Println(tick.Label) // 0, 20000, 40000, 60000
	}
	// Output:
	// 0
	// 20000
	// 40000
	// 60000
}
