// Package neural computes networks that were trained in Python. It reads their weights from files.
//
//	network, err := neural.New(neural.Header{
//		Method: "td", Rules: rules.Solo, Size: rules.Size{Width: 2, Height: 2},
//		Description: neural.Description{
//			Planes: 3,
//			Functions: map[string]neural.Function{"value": {
//				From:   neural.Source{Function: "board"},
//				Layers: []neural.Layer{{Kind: neural.Conv, Kernel: []int{2, 2}, In: 3, Out: 1, Padding: neural.NoPad}},
//			}},
//			Value: neural.Value{Transform: neural.None, Scale: 100},
//		},
//	}, []neural.Tensor{
//		{Name: "value.0.weight", Shape: []int{2, 2, 3, 1}, Values: []float32{0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 4}},
//		{Name: "value.0.bias", Shape: []int{1}, Values: []float32{5}},
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	evaluator := network.Evaluator(1)
//	evaluator.Boards([]rules.Board{rules.Board(0).With(0, 1).With(5, 2)}, nil) // a 2 and, below on the right, a 4
//	value, err := evaluator.Run("value")
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(value, network.Points(value))
//
// Open reads a network from a file; docs/NETWORKS.md describes such files. All games of a bot share a Network.
// An Evaluator has the memory to compute one batch of boards at a time.
//
// The boards are small, so all layers become products of matrices. A row of a matrix is a cell of one board in the
// batch, and the numbers in the row are the channels of the cell. A convolution is one product for each cell of its
// filter. A list selects the rows of a product: nothing is copied, and cells beyond the board cost nothing.
//
// Each sum in a product begins with the content of the output and adds the inputs in their order, each by a fused
// multiplication and addition. So a row's result does not depend on the other rows, and it has the same bits
// with AVX-512 and with AVX2. Without either, the compiler decides whether it fuses the two operations.
package neural
