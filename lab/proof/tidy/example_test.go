package tidy_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/proof/tidy"
	"versus2048/rules"
)

func Example() {
	found, err := tidy.Prove(context.Background(), tidy.Config{Size: rules.Size{Width: 4, Height: 2}, Threads: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Proven, found.Score)
	// Output: true 3076
}
