package lobby_test

import (
	"context"
	"fmt"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/tournament"
)

// empty is an arena without bots and events.
type empty struct{ lobby.Arena }

func (empty) Bots() []server.BotInfo { return nil }

func (empty) BotsChanged() <-chan struct{} { return nil }

func (empty) EventsNamed(context.Context, string) ([]tournament.Event, error) { return nil, nil }

func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	fmt.Println(gather(ctx, empty{}, empty{}, plan.Event))
	// Output: too few bots are here: 0, and the event needs 2
}

// gather is the code of the package comment.
func gather(ctx context.Context, arena lobby.Arena, store lobby.Records, event tournament.Event) error {
	gathering, err := lobby.New(ctx, arena, store, lobby.Plan{Event: event, Expected: 6})
	if err != nil {
		return err
	}
	go gathering.Run(ctx)
	_, err = gathering.Start(ctx, false)
	return err
}
