package templates_test

import (
	"fmt"

	"versus2048/internal/web/templates"
)

func ExampleNumber() {
	fmt.Println(templates.Number(-12345), templates.Count(2, "ply", "plies"), templates.Ordinal(12))
	// Output: −12 345 2 plies 12th
}
