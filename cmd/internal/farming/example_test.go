package farming_test

import (
	"context"
	"os"

	"versus2048/cmd/internal/farming"
	"versus2048/internal/server"
	"versus2048/lab/chore"
	"versus2048/lab/experiment/regret"
)

func Example() {
	_ = func(ctx context.Context, client *server.Client, sample *regret.Sample) ([]chore.Moves, error) {
		work := farming.Work{Client: client, Kind: chore.Regret, Bot: "greedy", Title: "greedy", Messages: os.Stderr}
		results, err := farming.Do[chore.MovesSettings, chore.Moves](ctx, work, chore.NewMoves(sample))
		return results, err
	}
}
