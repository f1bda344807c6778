package record_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

func TestAddSearch(t *testing.T) {
	first, second := &record.SearchReport{Nodes: 1}, &record.SearchReport{Nodes: 2}
	r := mated(t)
	moves := r.Moves
	var got [][]*record.SearchReport
	for i, s := range []*record.SearchReport{nil, first, nil, second} {
		r.Moves = moves[:i+1]
		r.AddSearch(s)
		got = append(got, r.Searches)
	}
	want := [][]*record.SearchReport{nil, {nil, first}, {nil, first, nil}, {nil, first, nil, second}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("searches after each move: %v, want %v", got, want)
	}
}

func TestRecordJSONHasSearches(t *testing.T) {
	r := mated(t)
	r.Moves, r.Ending = r.Moves[:2], record.Unfinished
	r.Searches = []*record.SearchReport{nil, {Nodes: 7}}
	data, err := json.Marshal(r)
	if want := `,"searches":[null,{"nodes":7}]}`; err != nil || !strings.HasSuffix(string(data), want) {
		t.Errorf("marshalled %s, %v, want %s at its end", data, err, want)
	}
	if text := recordText(t, &r); strings.Contains(text, "7") {
		t.Errorf("the text form has the search:\n%s", text)
	}
	roundTrip(t, r)
}

func TestRecordRefusesSearches(t *testing.T) {
	for text, why := range map[string]string{
		`{"moves": ["(1,1)"], "searches": []}`:                              "searches: 0 entries for 1 moves",
		`{"moves": ["(1,1)"], "searches": [null, null]}`:                    "searches: 2 entries for 1 moves",
		`{"moves": ["(1,1)", "S"], "searches": [null, {"nodes": -1}]}`:      "searches[1]: search: playouts 0, nodes -1",
		`{"moves": ["(1,1)", "S"], "searches": [{"pv": ["S"]}, null]}`:      "searches[0]: search: move 1 of the principal variation: illegal move S at ply 0",
		`{"moves": ["(1,1)"], "searches": [{"mood": "good"}]}`:              `unknown field "mood"`,
		`{"moves": ["(1,1)"], "searches": [{"moves": [{"move": "here"}]}]}`: `move "here"`,
	} {
		var r record.Record
		if err := json.Unmarshal([]byte(text), &r); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s is read as %+v with error %v, want one that says %q", text, r, err, why)
		}
	}
	r := mated(t)
	r.AddSearch(&record.SearchReport{Playouts: -1})
	if data, err := json.Marshal(r); err == nil {
		t.Errorf("a report that could not be read back is marshalled: %s", data)
	}
}

// randomSearch is a report on p, in which anything may be unknown.
func randomSearch(rng *rand.Rand, p rules.Position) *record.SearchReport {
	if rng.IntN(3) == 0 {
		return nil
	}
	s := record.SearchReport{
		Playouts: rng.Int64N(100) * rng.Int64N(2),
		Nodes:    rng.Int64N(1 << 40),
		Time:     time.Duration(rng.IntN(1e9)) * time.Microsecond,
	}
	for range rng.IntN(5) {
		s.Expanded = append(s.Expanded, rng.Int64N(1000))
	}
	for _, m := range p.AppendMoves(nil) {
		if rng.IntN(2) == 0 {
			s.Moves = append(s.Moves, record.RootMove{Move: m, Value: float64(rng.IntN(1e6)-1000) / 10, Visits: rng.Int64N(10)})
		}
	}
	for n := rng.IntN(6); n > 0 && !p.Over(); n-- {
		m := randomMove(rng, p)
		s.Variation = append(s.Variation, m)
		p = p.Next(m)
	}
	return &s
}
