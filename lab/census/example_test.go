package census_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/census"
	"versus2048/rules"
)

func Example() {
	ctx := context.Background()
	layers, err := census.Run(ctx, census.Config{
		Start:  rules.NewPosition(rules.GPCC2015, rules.Full),
		Plies:  20,
		Memory: 1 << 30,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range layers {
		fmt.Println(l.Plies, l.Positions, l.MinScore, l.MaxScore)
	}
	// Output:
	// 0 1 0 0
	// 2 2 0 0
	// 4 6 0 4
	// 6 10 0 4
	// 8 25 0 8
	// 10 53 4 16
	// 12 111 4 20
	// 14 204 4 20
	// 16 370 8 24
	// 18 649 8 32
	// 20 1142 8 52
}
