package testkit_test

import (
	"context"
	"fmt"

	"versus2048/internal/testkit"
)

func ExampleCountdown() {
	ctx := testkit.NewCountdown(context.Background(), 2)
	for ctx.Err() == nil {
		fmt.Println("a step")
	}
	fmt.Println(ctx.Ended())
	// Output:
	// a step
	// a step
	// true
}
