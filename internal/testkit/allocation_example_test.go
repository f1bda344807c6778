package testkit_test

import (
	"bytes"
	"fmt"

	"versus2048/internal/testkit"
)

func ExampleAllocated() {
	input := []byte(`{"moves": []}`)
	took := testkit.Allocated(func() { _ = bytes.Clone(input) })
	fmt.Println(took < 1<<20)
	// Output: true
}
