// Package allocation checks that what a decoder allocates is bounded by the length of its input.
//
//	input := []byte(`{"moves": []}`)
//	took := allocation.Of(func() { _ = bytes.Clone(input) })
//	fmt.Println(took < 1<<20)
package allocation
