package bom_test

import (
	"fmt"
	"io"
	"strings"

	"versus2048/internal/bom"
)

func Example() {
	text := bom.Trim("\ufeff2,0/0,0 D 0 1")
	file := bom.NewReader(strings.NewReader("\ufeff# Openings"))
	rest, err := io.ReadAll(file)
	fmt.Printf("%q %q %v\n", text, rest, err)
	// Output: "2,0/0,0 D 0 1" "# Openings" <nil>
}
