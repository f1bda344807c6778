package results

import (
	"context"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// BenchmarkFinish opens and finishes games, each durably.
func BenchmarkFinish(b *testing.B) {
	j := newDuel(b, openNew(b), 1)
	played := duelGame(1, 1)
	playOn(&played, nil, -1)
	match := 0
	for b.Loop() {
		match++
		g := open(b, j, duelGame(match, 1))
		g.Record.Moves, g.Record.Times, g.Record.Lags = played.Record.Moves, played.Record.Times, played.Record.Lags
		g.Record.Ending = record.Mate
		if err := j.Finish(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkAppend appends plies of 16 games while Run writes them.
func BenchmarkAppend(b *testing.B) {
	j := newDuel(b, openNew(b), 16)
	var games []tournament.Game
	for match := range 16 {
		games = append(games, open(b, j, duelGame(match+1, 1)))
	}
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- j.Run(ctx) }()
	i := 0
	for b.Loop() {
		j.Append(games[i%16].ID, tournament.Ply{Move: rules.West, Time: 12345, Lag: 67})
		i++
	}
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
