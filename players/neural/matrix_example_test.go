package kernel_test

import (
	"fmt"

	"versus2048/players/neural/kernel"
)

func Example() {
	weights := kernel.NewMatrix(2, 3, []float32{
		1, 2, 3,
		4, 5, 6,
	})
	in := []float32{10, 1}
	out := make([]float32, weights.Stride())
	weights.MultiplyAdd(out, in, []kernel.Row{{In: 0, Out: 0}})
	fmt.Println(out[:3])
	// Output: [14 25 36]
}
