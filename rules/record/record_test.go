package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// mated returns a shortest game on the smallest board.
func mated(t *testing.T) record.Record {
	t.Helper()
	r, err := record.Parse("[Size \"2x2\"]\n\n(1,1) S (1,1) N (2,1) S (1,1) N (2,2) N (2,2)")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReplay(t *testing.T) {
	r := mated(t)
	p, err := r.Replay()
	if err != nil || !p.Over() || p.Ply() != len(r.Moves) {
		t.Errorf("replayed to %v, %v, want a mate after %d plies", p, err, len(r.Moves))
	}
	if r.Ending != record.Mate || r.Turns() != 6 {
		t.Errorf("ending %q, %d turns, want mate and 6", r.Ending, r.Turns())
	}
}

// The mate of the shortest game, as published.
func TestShortestGame(t *testing.T) {
	r := readRecord(t, "testdata/shortest.txt")
	last, err := r.Replay()
	if err != nil || !last.Over() || last.Ply() != 51 {
		t.Fatalf("replayed to %v, %v, want a mate after 51 plies", last, err)
	}
	published := parse(t, rules.GPCC2015, "4,2,4,2/2,4,2,4/4,2,8,2/2,4,2,4 D 44 51")
	got := last.Canonical()
	want := published.Canonical()
	if got != want || !published.Over() {
		t.Errorf("mate %v, want %v up to symmetry, which is over: %v", last, published, published.Over())
	}
	roundTrip(t, r)
}

// readRecord reads a game in the text form from testdata and replays it.
func readRecord(t testing.TB, name string) record.Record {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReplayRejects(t *testing.T) {
	illegal := mated(t)
	illegal.Moves[3] = rules.Place(0, false)
	_, err := illegal.Replay()
	var move *rules.IllegalMoveError
	if !errors.As(err, &move) || move.Position.Ply() != 3 {
		t.Errorf("error %v, want an illegal move at ply 3", err)
	}
	late := mated(t)
	late.Moves = append(late.Moves, rules.South)
	if _, err := late.Replay(); !errors.As(err, &move) || move.Reason != rules.GameOver {
		t.Errorf("error %v, want that the game is over", err)
	}
	for _, ending := range []record.Ending{record.Time, record.Resigned, record.MaxTurns, record.MaxTile, record.Decided} {
		fault := mated(t)
		fault.Ending = ending
		if _, err := fault.Replay(); err == nil || !strings.Contains(err.Error(), "is mated") {
			t.Errorf("error %v, want that %s cannot follow a mate", err, ending)
		}
	}
	early := mated(t)
	early.Moves = early.Moves[:4]
	if _, err := early.Replay(); err == nil || !strings.Contains(err.Error(), "not mated") {
		t.Errorf("error %v, want that the defender is not mated", err)
	}
}

// The side to move has committed the fault.
func TestWinner(t *testing.T) {
	defenderFirst := parse(t, rules.GPCC2015, "2,0/0,0 D")
	for _, test := range []struct {
		record record.Record
		want   string
	}{
		{record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Time}, "defender"},
		{record.Record{Moves: []rules.Move{rules.Place(0, false)}, Ending: record.IllegalMove}, "attacker"},
		{record.Record{Start: defenderFirst, Ending: record.Disconnect}, "attacker"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Disconnect}, "defender"},
		{record.Record{Start: defenderFirst, Ending: record.Resigned}, "attacker"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Resigned}, "defender"},
		{record.Record{Start: defenderFirst, Moves: []rules.Move{rules.East}, Ending: record.Decided}, ""},
		{record.Record{Ending: record.Unfinished}, ""},
		{mated(t), ""},
	} {
		winner, ok := test.record.Winner()
		if ok != (test.want != "") || ok && winner.String() != test.want {
			t.Errorf("%v after %d plies: winner %v, %v, want %q", test.record.Ending, len(test.record.Moves), winner, ok, test.want)
		}
	}
}

func TestEndings(t *testing.T) {
	faults, adjudicated := 0, 0
	for _, e := range record.Endings() {
		if read, err := record.ParseEnding(string(e)); err != nil || read != e {
			t.Errorf("%q is read as %q, %v", e, read, err)
		}
		if e.Fault() {
			faults++
		}
		if e.Adjudicated() {
			adjudicated++
		}
		if e.Fault() && e.Adjudicated() {
			t.Errorf("%s is a fault and is adjudicated", e)
		}
	}
	if adjudicated != 3 {
		t.Errorf("%d endings are adjudicated, want 3", adjudicated)
	}
	if record.Mate.Fault() || record.Unfinished.Fault() || faults != 3 {
		t.Errorf("%d endings are faults, want the three where a side failed", faults)
	}
}

// Every turn is packed into one byte.
func TestTurnsMatchPackedTurns(t *testing.T) {
	for _, start := range []string{"0,0/0,0 A", "2,0/0,0 D"} {
		r := record.Record{Start: parse(t, rules.GPCC2015, start)}
		for p := r.Start; !p.Over(); p = p.Next(r.Moves[len(r.Moves)-1]) {
			if got, want := r.Turns(), len(record.PackTurns(r.Moves)); got != want {
				t.Errorf("from %s: %d plies are %d turns, want %d", start, len(r.Moves), got, want)
			}
			r.Moves = append(r.Moves, p.AppendMoves(nil)[0])
		}
	}
}

func TestUnknownEndings(t *testing.T) {
	for _, text := range []string{"", "Mate", "bored"} {
		if e, err := record.ParseEnding(text); err == nil {
			t.Errorf("ending %q is read as %v", text, e)
		}
	}
}

func TestTurns(t *testing.T) {
	placed, slid := rules.Place(5, true), rules.East
	for _, test := range []struct {
		name  string
		moves []rules.Move
		first rules.Side
		bytes int
	}{
		{"none", nil, rules.Attacker, 0},
		{"none, defender to move", nil, rules.Defender, 0},
		{"placement", []rules.Move{placed}, rules.Attacker, 1},
		{"turn", []rules.Move{placed, slid}, rules.Attacker, 1},
		{"turn and a half", []rules.Move{placed, slid, placed}, rules.Attacker, 2},
		{"slide", []rules.Move{slid}, rules.Defender, 1},
		{"half, turn, half", []rules.Move{slid, placed, slid, placed}, rules.Defender, 3},
	} {
		packed := record.PackTurns(test.moves)
		if len(packed) != test.bytes {
			t.Errorf("%s: %d bytes, want %d", test.name, len(packed), test.bytes)
		}
		moves, err := record.UnpackTurns(packed, test.first)
		if err != nil || !slices.Equal(moves, test.moves) {
			t.Errorf("%s: unpacked %v, %v, want %v", test.name, moves, err, test.moves)
		}
	}
}

func TestEveryTurnPacks(t *testing.T) {
	for i := range 32 {
		for slide := rules.North; slide <= rules.East; slide++ {
			want := []rules.Move{rules.Place(i&15, i >= 16), slide}
			got, err := record.UnpackTurns(record.PackTurns(want), rules.Attacker)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("unpacked %v, %v, want %v", got, err, want)
			}
		}
	}
}

func TestUnpackTurnsRejects(t *testing.T) {
	half := record.PackTurns([]rules.Move{rules.Place(0, false)})[0]
	whole := record.PackTurns([]rules.Move{rules.Place(0, false), rules.North})[0]
	if moves, err := record.UnpackTurns([]byte{half, whole}, rules.Attacker); err == nil {
		t.Errorf("a half turn before another: unpacked %v, want an error", moves)
	}
	if moves, err := record.UnpackTurns([]byte{whole}, rules.Defender); err == nil {
		t.Errorf("a placement first with the defender to move: unpacked %v, want an error", moves)
	}
}

// roundTrip fails the test unless r survives packing its turns, writing and reading
// its JSON form and, except for times and searches, its text form.
func roundTrip(t *testing.T, r record.Record) {
	t.Helper()
	moves, err := record.UnpackTurns(record.PackTurns(r.Moves), r.Start.SideToMove())
	if err != nil || fmt.Sprint(moves) != fmt.Sprint(r.Moves) {
		t.Fatalf("packed turns: %v, %v, want %v", moves, err, r.Moves)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var read record.Record
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if !reflect.DeepEqual(read, r) {
		t.Fatalf("from JSON: %+v\nwant %+v", read, r)
	}
	r.Times, r.Lags, r.Searches = nil, nil, nil
	text := recordText(t, &r)
	if read, err = record.Parse(text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(read, r) {
		t.Fatalf("from text: %+v\nwant %+v", read, r)
	}
}

func recordText(t *testing.T, r *record.Record) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Records written by earlier releases are still read, replay, and are written again
// byte for byte.
func TestRecordsOfPreviousReleases(t *testing.T) {
	for _, name := range previousRecords(t, "txt") {
		r := readRecord(t, name)
		compareWithFile(t, name, recordText(t, &r))
	}
	for _, name := range previousRecords(t, "json") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var r record.Record
		if err := json.Unmarshal(data, &r); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := r.Replay(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		compareWithFile(t, name, string(again)+"\n")
	}
}

// previousRecords returns the names of the records of earlier releases in one form.
func previousRecords(t *testing.T, form string) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/record-*." + form)
	if err != nil || len(names) == 0 {
		t.Fatalf("records in the form %s: %q, %v, want at least one", form, names, err)
	}
	return names
}

func compareWithFile(t *testing.T, name, again string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if again != string(text) {
		t.Errorf("%s is written again as\n%s", name, again)
	}
}

// forAllGames runs a subtest for each rule set and size.
func forAllGames(t *testing.T, test func(t *testing.T, r rules.Ruleset, s rules.Size)) {
	for _, r := range rules.Rulesets() {
		for _, s := range rules.Sizes() {
			t.Run(fmt.Sprintf("%v/%v", r, s), func(t *testing.T) { test(t, r, s) })
		}
	}
}

func parse(t testing.TB, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(0), uint8(0), []byte{})
	f.Add(uint8(0), uint8(0), []byte{0, 0, 0, 0})
	f.Add(uint8(8), uint8(1), []byte("each letter picks one of the legal moves"))
	f.Add(uint8(3), uint8(2), []byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3})
	f.Fuzz(func(t *testing.T, size, ruleset uint8, choices []byte) {
		s := rules.Sizes()[int(size)%len(rules.Sizes())]
		r := rules.Rulesets()[int(ruleset)%len(rules.Rulesets())]
		g := record.Record{Start: rules.NewPosition(r, s), Ending: record.Unfinished}
		p := g.Start
		for _, choice := range choices {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[int(choice)%len(legal)]
			g.Moves = append(g.Moves, m)
			p = p.Next(m)
		}
		roundTrip(t, g)
	})
}

// Tiles that do not fit into four bits survive, too.
func TestLargestTilesRoundTrip(t *testing.T) {
	p := parse(t, rules.GPCC2016, "32768,32768,32768,32768/0,0,0,2 D")
	roundTrip(t, record.Record{Start: p, Moves: []rules.Move{rules.East, rules.Place(0, true), rules.South}, Ending: record.Unfinished})
}

func TestRecordsRoundTrip(t *testing.T) {
	forAllGames(t, func(t *testing.T, r rules.Ruleset, s rules.Size) {
		rng := rand.New(rand.NewPCG(uint64(r), uint64(s.Cells())))
		for n := range 20 {
			roundTrip(t, randomRecord(t, rng, r, s, n))
		}
	})
}

// randomRecord returns a game with any start and any ending.
func randomRecord(t *testing.T, rng *rand.Rand, rs rules.Ruleset, s rules.Size, n int) record.Record {
	t.Helper()
	p := rules.NewPosition(rs, s)
	for range rng.IntN(8) {
		p = p.Next(randomMove(rng, p))
	}
	r := record.Record{
		Event:        fmt.Sprintf(`"%d" \ ; [an event]`, n),
		Game:         fmt.Sprint(n),
		Date:         "2026-11-21",
		Attacker:     "Ada\tλ",
		DefenderSeed: rng.Uint64N(1 << 53),
		Start:        p,
		Ending:       record.Endings()[n%len(record.Endings())],
		Detail:       strings.Repeat("<detail>\n", n%2),
	}
	for !p.Over() && (r.Ending == record.Mate || rng.IntN(40) > 0) {
		m := randomMove(rng, p)
		r.Moves = append(r.Moves, m)
		r.Times = append(r.Times, time.Duration(rng.IntN(1e9))*time.Microsecond)
		r.Lags = append(r.Lags, time.Duration(rng.IntN(1e6))*time.Microsecond)
		if n%3 == 0 {
			r.AddSearch(randomSearch(rng, p))
		}
		p = p.Next(m)
	}
	if p.Over() && r.Ending != record.Unfinished {
		r.Ending = record.Mate
	}
	return r
}

func randomMove(rng *rand.Rand, p rules.Position) rules.Move {
	legal := p.AppendMoves(nil)
	return legal[rng.IntN(len(legal))]
}

// The game in testdata goes from one 32768 and the chain below it to a 65536.
func TestLargestTileIsPlayed(t *testing.T) {
	r := readRecord(t, "testdata/65536.txt")
	roundTrip(t, r)
	last, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	before := r.Start
	for _, m := range r.Moves[:len(r.Moves)-1] {
		before = before.Next(m)
	}
	if before.HasHuge() || before.LargestTile() != 32768 {
		t.Errorf("before the last slide: %v, want no 65536 yet", before)
	}
	if last.Tile(1, 1) != 65536 || last.LargestTile() != 65536 || last.Exponent(0) != 16 || !last.HasHuge() {
		t.Errorf("after the last slide: %v, want a 65536 at (1,1)", last)
	}
	if !strings.HasPrefix(last.String(), "65536,") || last.Tiles()[0][0] != 65536 {
		t.Errorf("the 65536 is displayed as %v", last)
	}
	if gain := last.Score() - before.Score(); gain != 65536 {
		t.Errorf("the slide scored %d, want 65536", gain)
	}
	if again := parse(t, rules.GPCC2015, last.String()); again != last {
		t.Errorf("%v is read as %v", last, again)
	}
	for _, y := range last.Size().Symmetries() {
		image := y.Position(last)
		corner := y.Move(rules.Place(0, false), last.Size()).Cell()
		if image.Exponent(corner) != 16 || image.Score() != last.Score() {
			t.Errorf("under symmetry %d: %v", y, image)
		}
	}
}

func BenchmarkParseRecord(b *testing.B) {
	r := readRecord(b, "testdata/shortest.txt")
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := record.Parse(text.String()); err != nil {
			b.Fatal(err)
		}
	}
}
