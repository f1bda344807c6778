package sweep_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/lab/proof/sweep"
	"versus2048/rules"
)

func Example() {
	s, err := sweep.Open(sweep.Config{
		Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Ceiling: 100, Threads: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Run(context.Background(), nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Score())
	// Output: 40 true
}
