// Package kernel multiplies the matrices of small networks. It uses the vector instructions of the processor.
//
//	weights := kernel.NewMatrix(2, 3, []float32{
//		1, 2, 3,
//		4, 5, 6,
//	})
//	in := []float32{10, 1}
//	out := make([]float32, weights.Stride())
//	weights.MultiplyAdd(out, in, []kernel.Row{{In: 0, Out: 0}})
//	fmt.Println(out[:3])
//
// All layers of a network for small boards become such products. A row is a cell of one board in a batch, its
// numbers are the channels, and a convolution is one product for each cell of its filter. A list selects the
// rows of a product, so that nothing is copied, and cells beyond the board cost nothing.
//
// The sum of a product begins with the content of out and adds the inputs in their order, each by a fused
// multiplication and addition. So a row's result does not depend on the other rows, and it has the same bits
// with AVX-512 and with AVX2. Without either, the sum is rounded twice for each input.
package kernel
