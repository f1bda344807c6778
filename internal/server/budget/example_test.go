package budget_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"time"

	"versus2048/internal/server/budget"
)

func Example() {
	fmt.Println(think(context.Background(), new(atomic.Int64), netip.MustParsePrefix("192.0.2.1/32")))
	// Output: <nil>
}

func search(time.Duration) string { return "N" }

func think(ctx context.Context, playing *atomic.Int64, address netip.Prefix) error {
	strangers := budget.New(func() bool { return playing.Load() > 0 })

	turn, err := strangers.Begin(ctx, budget.Searches, address)
	if err != nil {
		return err // the context ended before there was a turn
	}
	defer turn.End()
	move := search(turn.Limit())
	_ = move
	return nil
}
