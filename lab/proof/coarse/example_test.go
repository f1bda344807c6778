package coarse_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/proof/coarse"
	"versus2048/rules"
)

func Example() {
	found, err := coarse.Prove(context.Background(), coarse.Config{
		Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Large: 4, Tile: 8, Threads: 1,
	}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Proven, found.From)
	// Output: true 218
}
