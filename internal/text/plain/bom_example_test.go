package plain_test

import (
	"fmt"
	"io"
	"strings"

	"versus2048/internal/text/plain"
)

func ExampleTrimBOM() {
	text := plain.TrimBOM("\ufeff2,0/0,0 D 0 1")
	file := plain.WithoutBOM(strings.NewReader("\ufeff# Openings"))
	rest, err := io.ReadAll(file)
	fmt.Printf("%q %q %v\n", text, rest, err)
	// Output: "2,0/0,0 D 0 1" "# Openings" <nil>
}
