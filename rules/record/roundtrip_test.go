package record_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// roundTrip fails the test unless r comes back from its packed turns, its JSON
// form and, but for the times and searches, its text form.
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
	f.Add(uint8(0), uint8(0), []byte{0, 0, 0, 0})
	f.Add(uint8(8), uint8(1), []byte("each letter picks one of the legal moves"))
	f.Add(uint8(3), uint8(2), []byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3})
	f.Fuzz(func(t *testing.T, size, ruleset uint8, choices []byte) {
		s := rules.Sizes()[int(size)%len(rules.Sizes())]
		r := rules.Rulesets()[int(ruleset)%len(rules.Rulesets())]
		g := record.Record{Start: rules.NewPosition(r, s), Ending: record.Unfinished, Moves: []rules.Move{}}
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

// Tiles beyond what four bits hold come back too.
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

// randomRecord is a game that begins anywhere and ends in any way.
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

// A typed game goes from one 32768 and the chain below it to a 65536.
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
