package parquet_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// playedStore returns a store with an event of two matches on the smallest board, and a function that closes and
// removes the store.
func playedStore(ctx context.Context) (store *results.Store, closeStore func()) {
	folder, err := os.MkdirTemp("", "parquet")
	if err != nil {
		log.Fatal(err)
	}
	store, err = results.Open(ctx, filepath.Join(folder, "arena.db"))
	if err != nil {
		log.Fatal(err)
	}
	event := tournament.Event{
		Name: "small", Created: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		Size: rules.Size{Width: 2, Height: 2}, Matches: 2, Concurrency: 1, Search: true,
	}
	var bots []tournament.Bot
	for _, text := range []string{"greedy", "mcts:playouts=20"} {
		spec, err := players.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		event.Entries = append(event.Entries, tournament.Entry{Name: text, Spec: text})
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: text, Spec: text}, Games: 1, New: spec.New})
	}
	if event.ID, err = store.CreateEvent(ctx, event); err != nil {
		log.Fatal(err)
	}
	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: store.Journal(event.ID)}
	if err := runner.Run(ctx); err != nil {
		log.Fatal(err)
	}
	return store, func() { _ = errors.Join(store.Close(), os.RemoveAll(folder)) }
}

// source is of no event.
var source = parquet.Source{Event: []byte("{}"), Version: "v1.3.0"}

// tables are the rows that were read back.
type tables struct {
	games    []parquet.Game
	plies    []parquet.Ply
	searches []parquet.Search
}

// written writes games and reads them back.
func written(t *testing.T, games ...results.Stored) tables {
	t.Helper()
	var files [3]bytes.Buffer
	w := parquet.NewWriter(source, &files[0], &files[1], &files[2])
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return tables{read[parquet.Game](t, files[0]), read[parquet.Ply](t, files[1]), read[parquet.Search](t, files[2])}
}

func read[Row parquet.Game | parquet.Ply | parquet.Search](t *testing.T, file bytes.Buffer) []Row {
	t.Helper()
	rows, err := parquet.Read[Row](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// stored is a game with everything that a game can have: an opening, times, pauses, reports, a fault.
func stored(t *testing.T) results.Stored {
	t.Helper()
	start, err := rules.ParsePosition(rules.GPCC2016, "0,4/0,0 D 0 1")
	if err != nil {
		t.Fatal(err)
	}
	started := time.Date(2026, 11, 21, 10, 30, 0, 123456000, time.UTC)
	g := results.Stored{Event: 3, Announced: results.Announced{Plies: 3, Score: 0, LargestTile: 4}}
	g.ID, g.Leg, g.Started, g.Finished = 17, 1, started, started.Add(time.Second)
	g.Pairing = tournament.Pairing{Match: 9, Round: 2, Nth: 1, First: "Bob", Second: "Ada"}
	g.Record = record.Record{
		Event: "spring open", Attacker: "Ada", Defender: "Bob", AttackerSeed: 1<<53 - 1, DefenderSeed: 2015, Start: start,
		Moves:  moves(t, "W", "(2,2,4)", "E"),
		Times:  []time.Duration{1830 * time.Microsecond, 0, 99 * time.Microsecond},
		Lags:   []time.Duration{110 * time.Microsecond, 0, 15 * time.Microsecond},
		Pauses: []record.Pause{{Ply: 1, Stall: 20 * time.Second}, {Ply: 3, Away: time.Second}},
		Searches: []*record.SearchReport{{
			Playouts: 40, Expanded: []int64{1, 2}, Time: 1650 * time.Microsecond, TokensRead: 812, TokensWritten: 9,
			Source: record.FromProof, Variation: moves(t, "W", "(1,2)"),
			Moves: []record.RootMove{{Move: rules.West, Value: 21.5, Visits: 24, Prior: 0.75}, {Move: rules.South, Mate: 14}},
		}, nil, {}},
		Ending: record.IllegalMove, Detail: `move "Q"`,
	}
	return g
}

func moves(t *testing.T, texts ...string) (moves []rules.Move) {
	t.Helper()
	for _, text := range texts {
		m, err := rules.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

func TestWholeGame(t *testing.T) {
	g := stored(t)
	got := written(t, g)
	us := func(n int64) *int64 { return &n }
	wantEqual(t, "game", got.games, []parquet.Game{{
		Game: 17, Event: "spring open", Match: 9, Round: 2, Nth: 1, Leg: 1, First: "Bob", Second: "Ada",
		Attacker: "Ada", Defender: "Bob", AttackerSeed: 1<<53 - 1, DefenderSeed: 2015, Rules: "gpcc2016", Size: "2x2",
		Start: "0,4/0,0 D 0 1", Started: g.Started, Finished: g.Finished, Ending: "illegal-move", Winner: "defender",
		Detail: `move "Q"`, Plies: 3, Score: 0, LargestTile: 4,
	}})
	wantEqual(t, "plies", got.plies, []parquet.Ply{
		{Game: 17, Ply: 0, Side: "defender", Player: "Bob", Board: []byte{0, 2, 0, 0}, Move: "W", TimeUS: us(1830), LagUS: us(110)},
		{Game: 17, Ply: 1, Side: "attacker", Player: "Ada", Board: []byte{2, 0, 0, 0}, Move: "(2,2,4)", TimeUS: us(0), LagUS: us(0), StallUS: 20_000_000},
		{Game: 17, Ply: 2, Side: "defender", Player: "Bob", Board: []byte{2, 0, 0, 2}, Move: "E", TimeUS: us(99), LagUS: us(15)},
	})
	wantEqual(t, "searches", got.searches, []parquet.Search{
		{
			Game: 17, Ply: 0, Playouts: 40, Expanded: []int64{1, 2}, TimeUS: 1650, TokensRead: 812, TokensWritten: 9,
			Source: "proof", PV: []string{"W", "(1,2)"},
			Moves: []parquet.RootMove{{Move: "W", Value: 21.5, Visits: 24, Prior: 0.75}, {Move: "S", Mate: 14}},
		},
		{Game: 17, Ply: 2, Expanded: []int64{}, PV: []string{}, Moves: []parquet.RootMove{}},
	})
}

// A game in progress has neither times that are missing nor an end.
func TestGameInProgress(t *testing.T) {
	g := stored(t)
	g.Announced, g.Finished, g.Record.Ending = results.Announced{}, time.Time{}, record.Unfinished
	g.Record.Times, g.Record.Lags = nil, nil
	got := written(t, g)
	if row := got.games[0]; !row.Finished.IsZero() || row.Winner != "" || row.Plies != 3 || row.Ending != "unfinished" {
		t.Errorf("%+v", row)
	}
	if row := got.plies[0]; row.TimeUS != nil || row.LagUS != nil {
		t.Errorf("%+v", row)
	}
}

// The rows that are read back agree with the store, game by game.
func TestPlayedEvent(t *testing.T) {
	store, closeStore := playedStore(t.Context())
	defer closeStore()
	var games []results.Stored
	err := store.Games(t.Context(), results.Filter{Searches: true}, func(g results.Stored) error {
		games = append(games, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, games...)
	if len(got.games) != len(games) || len(got.searches) == 0 {
		t.Fatalf("%d of %d games, %d searches", len(got.games), len(games), len(got.searches))
	}
	for i, g := range games {
		plies := rowsOf(got.plies, g.ID)
		gained := int32(0)
		for k, row := range plies {
			if row.Move != g.Record.Moves[k].String() || row.Score != gained || *row.TimeUS != g.Record.Times[k].Microseconds() {
				t.Errorf("game %d, ply %d: %+v", g.ID, k, row)
			}
			gained += row.Gained
		}
		if row := got.games[i]; int(gained) != g.Announced.Score || row.Score != gained || int(row.Plies) != len(plies) || !row.Finished.Equal(g.Finished.Truncate(time.Microsecond)) {
			t.Errorf("game %d: %+v, its plies gain %d", g.ID, row, gained)
		}
	}
}

// An archive and a folder have the same files.
func TestZip(t *testing.T) {
	store, closeStore := playedStore(t.Context())
	defer closeStore()
	each := func(write func(results.Stored) error) error {
		return store.Games(t.Context(), results.Filter{Event: 1, Searches: true, Scored: true}, write)
	}
	folder := t.TempDir()
	if err := parquet.WriteFolder(folder, false, source, func(w *parquet.Writer) error { return each(w.Write) }); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := parquet.WriteZip(&file, source, each); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(archive.File) != 3 {
		t.Fatalf("%v in the archive, %v", archive, err)
	}
	for _, f := range archive.File {
		got, err := fs.ReadFile(archive, f.Name)
		want, missing := os.ReadFile(filepath.Join(folder, f.Name))
		if err != nil || missing != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v, want %d, %v", f.Name, len(got), err, len(want), missing)
		}
	}
	failed := errors.New("no more games")
	if err := parquet.WriteZip(io.Discard, source, func(func(results.Stored) error) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
}

func rowsOf(plies []parquet.Ply, game int64) []parquet.Ply {
	first := slices.IndexFunc(plies, func(p parquet.Ply) bool { return p.Game == game })
	n := slices.IndexFunc(plies[first:], func(p parquet.Ply) bool { return p.Game != game })
	if n < 0 {
		return plies[first:]
	}
	return plies[first : first+n]
}

func TestDamagedGame(t *testing.T) {
	for want, damage := range map[string]func(*results.Stored){
		"game 17: illegal move":                               func(g *results.Stored) { g.Record.Moves[0] = rules.North },
		"game 17: the referee announced 3 plies, the score 8": func(g *results.Stored) { g.Announced.Score = 8 },
	} {
		g := stored(t)
		damage(&g)
		err := parquet.NewWriter(source, io.Discard, io.Discard, io.Discard).Write(g)
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
