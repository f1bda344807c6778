package words_test

import (
	"fmt"

	"versus2048/internal/web/words"
)

func Example() {
	fmt.Println(words.Number(-12345), words.Count(2, "ply", "plies"), words.Ordinal(12))
	// Output: −12 345 2 plies 12th
}
