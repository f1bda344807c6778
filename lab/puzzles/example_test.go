package puzzles_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/puzzles"
	"versus2048/rules"
)

func Example() {
	settings := puzzles.Settings{Seed: 1, PerKind: 4, Sizes: []rules.Size{{Width: 3, Height: 2}}, Workers: 1}
	book, err := puzzles.Make(context.Background(), settings, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(book.Puzzles))
	// Output: 16
}
