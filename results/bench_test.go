package results

import (
	"context"
	"testing"

	"versus2048/rules"
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
		g.Record.Ending = rules.Mate
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

// tenThousand makes a store of 10,000 games on the 4x4 board.
func tenThousand(b *testing.B) *Store {
	s := openNew(b)
	if _, err := s.write.Exec("PRAGMA synchronous = OFF"); err != nil {
		b.Fatal(err)
	}
	e := duel(5000)
	e.Size = rules.Full
	id, err := s.CreateEvent(b.Context(), e)
	if err != nil {
		b.Fatal(err)
	}
	j := s.Journal(id)
	for match := range 5000 {
		for leg := range 2 {
			g := duelGame(match+1, leg+1)
			g.Record.Start = rules.NewPosition(rules.GPCC2015, rules.Full)
			g = open(b, j, g)
			playOn(&g, nil, -1)
			if err := j.Finish(b.Context(), g); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ResetTimer()
	return s
}

// BenchmarkGames reads 10,000 games.
func BenchmarkGames(b *testing.B) {
	s := tenThousand(b)
	for b.Loop() {
		if err := s.Games(b.Context(), Filter{}, func(Stored) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkVerify plays 10,000 games again.
func BenchmarkVerify(b *testing.B) {
	s := tenThousand(b)
	for b.Loop() {
		v, err := s.Verify(b.Context(), Filter{}, func(g Stored, why error) { b.Errorf("game %d: %v", g.ID, why) })
		if err != nil || v.Games != 10_000 {
			b.Fatal(v, err)
		}
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
