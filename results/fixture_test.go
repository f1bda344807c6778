package results

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// TestMain runs the tests, the process that TestKill kills, or one that reads without rights.
func TestMain(m *testing.M) {
	if path := os.Getenv(victimDatabase); path != "" {
		if err := playToTheEnd(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(readDatabase); path != "" {
		if err := readAll(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// readDatabase is the environment variable with the path of a database, for the process that reads it without the right
// to write to it.
const readDatabase = "VERSUS2048_TEST_READ"

// readAll reads a database as the read-only commands do, and prints the number of its games.
func readAll(path string) error {
	ctx := context.Background()
	s, err := OpenReader(ctx, path)
	if err != nil {
		return err
	}
	v, err := s.Verify(ctx, Filter{}, func(g Stored, why error) { fmt.Printf("game %d: %v\n", g.ID, why) })
	if err == nil {
		fmt.Println(v.Games, "games")
	}
	return errors.Join(err, s.Close())
}

// openNew opens a new database and closes it when the test ends.
func openNew(t testing.TB) *Store {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// duel returns an event of ann and bob.
func duel(matches int) tournament.Event {
	return tournament.Event{
		Name:        "duel",
		Created:     time.Date(2026, 11, 21, 10, 30, 0, 123456789, time.UTC),
		Size:        rules.Size{Width: 3, Height: 3},
		Seed:        2048,
		Matches:     matches,
		Entries:     []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob"}},
		Concurrency: 2,
	}
}

// newDuel records a duel and returns its journal.
func newDuel(t testing.TB, s *Store, matches int) *Journal {
	t.Helper()
	id, err := s.CreateEvent(t.Context(), duel(matches))
	if err != nil {
		t.Fatal(err)
	}
	return s.Journal(id)
}

// duelGame returns a game of a duel before it is played.
func duelGame(match, leg int) tournament.Game {
	g := tournament.Game{
		Pairing: tournament.Pairing{Match: match, Round: match, Nth: match, First: "ann", Second: "bob"},
		Leg:     leg,
		Started: time.Date(2026, 11, 21, 11, 0, match, 0, time.UTC),
	}
	g.Record = record.Record{
		Event:        "duel",
		AttackerSeed: uint64(10*match + leg),
		DefenderSeed: 1<<53 - 1,
		Start:        rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3}),
		Ending:       record.Unfinished,
	}
	g.Record.Attacker, g.Record.Defender = g.Roles(leg)
	return g
}

// open opens a game in the journal.
func open(t testing.TB, j *Journal, g tournament.Game) tournament.Game {
	t.Helper()
	g, err := j.Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// finish opens, plays and finishes a game of a duel.
func finish(t testing.TB, j *Journal, match, leg int) tournament.Game {
	t.Helper()
	g := open(t, j, duelGame(match, leg))
	playOn(&g, j, -1)
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	return g
}

// bobMoves reports whether it is bob's turn.
func bobMoves(r *record.Record, p rules.Position) bool {
	return (r.Attacker == "bob") == (p.SideToMove() == rules.Attacker)
}

// searchOf returns bob's report on his search in p, for m.
func searchOf(p rules.Position, m rules.Move) *record.SearchReport {
	return &record.SearchReport{
		Playouts: int64(p.Ply()), Expanded: []int64{1, 5}, Variation: []rules.Move{m},
		Moves: []record.RootMove{{Move: m, Value: 1.5 * float64(p.Score()), Visits: 7}},
	}
}

// playOn plays the given number of plies of a game at random, to its end if the number is negative, and appends them to
// the journal, if there is one. Bob reports his searches when he has a choice. During some of the moves the clock
// stands still. The moves depend only on the game's seed and the position.
func playOn(g *tournament.Game, j *Journal, plies int) {
	p, err := g.Record.Replay()
	if err != nil {
		panic(err)
	}
	r := &g.Record
	for ; plies != 0 && !p.Over(); plies-- {
		random := rand.New(rand.NewPCG(r.AttackerSeed, uint64(p.Ply())))
		moves := p.AppendMoves(nil)
		ply := tournament.Ply{
			Move: moves[random.IntN(len(moves))],
			Time: time.Duration(random.IntN(1_000_000)) * time.Microsecond,
			Lag:  time.Duration(random.IntN(1000)) * time.Microsecond,
		}
		if len(moves) > 1 && bobMoves(r, p) {
			ply.Search = searchOf(p, ply.Move)
		}
		if p.Ply()%7 == 3 {
			ply.Stall, ply.Away = time.Duration(p.Ply())*time.Millisecond, ply.Lag
		}
		p = p.Next(ply.Move)
		r.AddPause(ply.Stall, ply.Away)
		r.Moves, r.Times, r.Lags = append(r.Moves, ply.Move), append(r.Times, ply.Time), append(r.Lags, ply.Lag)
		r.AddSearch(ply.Search)
		if j != nil {
			j.Append(g.ID, ply)
		}
	}
	if p.Over() {
		r.Ending = record.Mate
		g.Finished = g.Started.Add(time.Minute)
	}
}
