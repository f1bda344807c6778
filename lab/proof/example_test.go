package proof_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/proof"
	"versus2048/rules"
)

func Example() {
	prover, err := proof.Open(proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer prover.Close()
	for _, score := range []int{40, 44} {
		forced, err := prover.AtLeast(context.Background(), score, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(score, forced)
	}
	// Output:
	// 40 true
	// 44 false
}
