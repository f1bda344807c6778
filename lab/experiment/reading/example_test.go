package reading_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/experiment/reading"
)

func Example() {
	readings, err := reading.Named([]string{"placements"})
	if err != nil {
		log.Fatal(err)
	}
	config := reading.Config{Matches: 2, Playouts: 2, Seed: 1, Concurrent: 1}
	result, err := reading.Play(context.Background(), readings[0], config)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result.MCTS), len(result.Scores))
	// Output: 2 2
}
