package rules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
)

// roundTrip fails the test unless r comes back from its packed turns, its JSON
// form and, but for the times and searches, its text form.
func roundTrip(t *testing.T, r rules.Record) {
	t.Helper()
	moves, err := rules.UnpackTurns(rules.PackTurns(r.Moves), r.Start.SideToMove())
	if err != nil || fmt.Sprint(moves) != fmt.Sprint(r.Moves) {
		t.Fatalf("packed turns: %v, %v, want %v", moves, err, r.Moves)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var read rules.Record
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if !reflect.DeepEqual(read, r) {
		t.Fatalf("from JSON: %+v\nwant %+v", read, r)
	}
	r.Times, r.Lags, r.Searches = nil, nil, nil
	text := recordText(t, &r)
	if read, err = rules.ParseRecord(text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(read, r) {
		t.Fatalf("from text: %+v\nwant %+v", read, r)
	}
}

func recordText(t *testing.T, r *rules.Record) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
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
func randomRecord(t *testing.T, rng *rand.Rand, rs rules.Ruleset, s rules.Size, n int) rules.Record {
	t.Helper()
	p := rules.NewPosition(rs, s)
	for range rng.IntN(8) {
		p = p.Next(randomMove(rng, p))
	}
	r := rules.Record{
		Event:        fmt.Sprintf(`"%d" \ ; [an event]`, n),
		Game:         fmt.Sprint(n),
		Date:         "2026-11-21",
		Attacker:     "Ada\tλ",
		DefenderSeed: rng.Uint64N(1 << 53),
		Start:        p,
		Ending:       rules.Endings()[n%len(rules.Endings())],
		Detail:       strings.Repeat("<detail>\n", n%2),
	}
	for !p.Over() && (r.Ending == rules.Mate || rng.IntN(40) > 0) {
		m := randomMove(rng, p)
		r.Moves = append(r.Moves, m)
		r.Times = append(r.Times, time.Duration(rng.IntN(1e9))*time.Microsecond)
		r.Lags = append(r.Lags, time.Duration(rng.IntN(1e6))*time.Microsecond)
		if n%3 == 0 {
			r.AddSearch(randomSearch(rng, p))
		}
		p = p.Next(m)
	}
	if p.Over() && r.Ending != rules.Unfinished {
		r.Ending = rules.Mate
	}
	return r
}

func randomMove(rng *rand.Rand, p rules.Position) rules.Move {
	legal := p.AppendMoves(nil)
	return legal[rng.IntN(len(legal))]
}
