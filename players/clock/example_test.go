package clock_test

import (
	"context"
	"fmt"
	"time"

	"versus2048/players/clock"
)

func Example() {
	answers := make(chan string, 1)
	answers <- "N"
	move, reading, err := wait(context.Background(), answers)
	fmt.Println(move, reading.Used < 5*time.Second, err)
	// Output: N true <nil>
}

func wait(ctx context.Context, answers <-chan string) (string, clock.Reading, error) {
	stalls := clock.NewStalls()
	go stalls.Watch(ctx, nil)

	turn := clock.NewTurn(stalls, 5*time.Second, 0)
	select {
	case move := <-answers:
		reading := turn.End() // reading.Used is the time of the move
		return move, reading, nil
	case <-turn.Over():
		return "", turn.End(), context.DeadlineExceeded
	}
}
