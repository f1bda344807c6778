package neural

import "fmt"

func Example_matrix() {
	weights := newMatrix(2, 3, []float32{
		1, 2, 3,
		4, 5, 6,
	})
	in := []float32{10, 1}
	out := make([]float32, weights.Stride())
	weights.MultiplyAdd(out, in, []row{{In: 0, Out: 0}})
	fmt.Println(out[:3])
	// Output: [14 25 36]
}
