package exact_test

import (
	"fmt"
	"log"

	"versus2048/players/exact"
)

func ExampleParsePuzzles() {
	book, err := exact.ParsePuzzles("gpcc2015\t2,0,2/0,4,2 A 4 5\t2\t40 44\n")
	if err != nil {
		log.Fatal(err)
	}
	p, err := book.Numbered(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Position, p.Best(), p.Level())
	// Output: 2,0,2/0,4,2 A 4 5 (2,1) medium
}
