package allocation_test

import (
	"bytes"
	"fmt"

	"versus2048/internal/allocation"
)

func Example() {
	input := []byte(`{"moves": []}`)
	took := allocation.Allocated(func() { _ = bytes.Clone(input) })
	fmt.Println(took < 1<<20)
	// Output: true
}
