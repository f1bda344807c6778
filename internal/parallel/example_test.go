package parallel_test

import (
	"context"
	"fmt"
	"log"

	"versus2048/internal/parallel"
)

func Example() {
	squares := make([]int, 4)
	err := parallel.Do(context.Background(), 2, len(squares), nil, func(i int) error {
		squares[i] = i * i
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(squares)
	// Output: [0 1 4 9]
}
