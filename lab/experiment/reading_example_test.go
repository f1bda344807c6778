package experiment_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/experiment"
)

func ExampleReadingsNamed() {
	readings, err := experiment.ReadingsNamed([]string{"placements"})
	if err != nil {
		log.Fatal(err)
	}
	config := experiment.ReadingConfig{Matches: 2, Playouts: 2, Seed: 1, Concurrent: 1}
	result, err := experiment.PlayReading(context.Background(), readings[0], config)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(result.MCTS), len(result.Scores))
	// Output: 2 2
}
