package results

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
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

// The database of the benchmarks below. The default is fast to make; docs/notes/2026-11-29-speeds.md has figures
// for 100,000 games.
var (
	largeGames = flag.Int("games", 10_000, "games in the large database")
	largeFile  = flag.String("large", "", "a file that keeps the large database for the next run (default: none)")
)

// large opens the large database: one event of eight bots with random games on the 4x4 board, about
// 140 turns each.
func large(b *testing.B) (*Store, tournament.Event) {
	path := *largeFile
	if path == "" {
		path = filepath.Join(b.TempDir(), "large.db")
	}
	s, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	e, err := s.LastEvent(b.Context())
	if err != nil {
		e = fill(b, s, 8, *largeGames, 1000)
	}
	b.ResetTimer()
	return s, e
}

// fill records an event with a number of bots and games. It repeats a number of different games.
func fill(b testing.TB, s *Store, bots, games, different int) tournament.Event {
	e := duel(games/(bots*(bots-1)) + 1)
	e.Size, e.Entries = rules.Full, nil
	for i := range bots {
		e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprintf("bot%d", i+1), Spec: "random"})
	}
	var err error
	if e.ID, err = s.CreateEvent(b.Context(), e); err != nil {
		b.Fatal(err)
	}
	var records []record.Record
	for i := range min(different, games) {
		g := duelGame(i+1, 1)
		g.Record.Start = rules.NewPosition(rules.GPCC2015, rules.Full)
		playOn(&g, nil, -1)
		g.Record.Searches = nil
		records = append(records, g.Record)
	}
	err = s.update(b.Context(), func(tx *sql.Tx) error { return fillGames(b.Context(), tx, s.rows, e, records, games) })
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func fillGames(ctx context.Context, tx *sql.Tx, w *rowWriter, e tournament.Event, records []record.Record, games int) error {
	f, rows := format.New(e), newWriteTx(tx)
	for i := range games / 2 {
		p, _ := f.Next(tournament.Everyone{})
		match := &matchRow{id: w.lastMatch.Add(1)}
		for leg := 1; leg <= 2; leg++ {
			g := duelGame(p.Match, leg)
			g.Pairing, g.Finished = p, g.Started
			r := records[(2*i+leg)*7919%len(records)]
			r.AttackerSeed, r.DefenderSeed = uint64(i), uint64(leg)
			r.Attacker, r.Defender = p.Roles(leg)
			g.Record = r
			if err := w.add(ctx, rows, e.ID, match, &g, [2]int64{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func perSecond(b *testing.B) {
	b.ReportMetric(float64(*largeGames)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkGames reads all games.
func BenchmarkGames(b *testing.B) {
	s, _ := large(b)
	for b.Loop() {
		if err := s.Games(b.Context(), Filter{}, func(Stored) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

// BenchmarkVerify replays all games.
func BenchmarkVerify(b *testing.B) {
	s, _ := large(b)
	for b.Loop() {
		v, err := s.Verify(b.Context(), Filter{}, func(g Stored, why error) { b.Errorf("game %d: %v", g.ID, why) })
		if err != nil || v.Games != *largeGames {
			b.Fatal(v, err)
		}
	}
	perSecond(b)
}

// BenchmarkStatistics computes the output of arena stats.
func BenchmarkStatistics(b *testing.B) {
	s, e := large(b)
	for b.Loop() {
		collected, err := s.Collect(b.Context(), e, true)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := collected.Statistics(nil); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

// BenchmarkMatches reads the matches alone.
func BenchmarkMatches(b *testing.B) {
	s, e := large(b)
	for b.Loop() {
		if err := s.EachMatch(b.Context(), e, func(tournament.MatchResult) {}); err != nil {
			b.Fatal(err)
		}
	}
	perSecond(b)
}

// BenchmarkReplay reads one game.
func BenchmarkReplay(b *testing.B) {
	s, _ := large(b)
	for b.Loop() {
		g, err := s.Game(b.Context(), int64(*largeGames/2))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Record.Replay(); err != nil {
			b.Fatal(err)
		}
	}
}
