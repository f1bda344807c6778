package learning_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/learning"
	"versus2048/rules"
)

func Example() {
	settings := learning.Defaults(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	trainer, err := learning.New(settings)
	if err != nil {
		log.Fatal(err)
	}
	trainer.Play(context.Background(), 1000)
	network, err := trainer.Network()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(network.Of(0), "points for the defender on the empty board")
	// Output: 68 points for the defender on the empty board
}
