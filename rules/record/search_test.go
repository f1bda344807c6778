package record_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// searched returns the report of a search in searchedPosition with all values known.
func searched() record.SearchReport {
	return record.SearchReport{
		Playouts: 1000, Nodes: 40, Expanded: []int64{1, 2, 0, 1}, Time: 5123 * time.Microsecond, CPU: 4900 * time.Microsecond,
		TokensRead: 812, TokensWritten: 9,
		Variation: []rules.Move{rules.West, rules.Place(5, false), rules.North},
		Moves:     []record.RootMove{{rules.West, 12.25, 700, 0, 0.75}, {rules.East, -3, 300, 7, 0}},
	}
}

const searchedPosition = "2,2/0,0 D 0 3"

func TestSearchReportJSON(t *testing.T) {
	for want, s := range map[string]record.SearchReport{
		`{"playouts":1000,"nodes":40,"expanded":[1,2,0,1],"time_us":5123,"cpu_us":4900,"tokens_read":812,"tokens_written":9,"pv":["W","(2,2)","N"],` +
			`"moves":[{"move":"W","value":12.25,"visits":700,"prior":0.75},{"move":"E","value":-3,"visits":300,"mate":7}]}`: searched(),
		`{}`:                             {},
		`{"source":"proof","pv":["W"]}`:  {Source: record.FromProof, Variation: []rules.Move{rules.West}},
		`{"moves":[{"move":"(3,4,4)"}]}`: {Moves: []record.RootMove{{Move: rules.Place(14, true)}}},
	} {
		got, err := json.Marshal(s)
		if err != nil || string(got) != want {
			t.Errorf("marshalled %s, %v\nwant %s", got, err, want)
		}
		var read record.SearchReport
		if err := json.Unmarshal(got, &read); err != nil || !reflect.DeepEqual(read, s) {
			t.Errorf("%s is read as %+v, %v, want %+v", got, read, err, s)
		}
	}
}

// Values are written with six significant digits.
func TestSearchReportValues(t *testing.T) {
	for value, want := range map[float64]string{
		1234567: "1.23457e+06", -0.00012345678: "-0.000123457", 18267.94: "18267.9", 20000: "20000", record.MaxValue: "1e+09",
	} {
		s := record.SearchReport{Moves: []record.RootMove{{Move: rules.West, Value: value}}}
		got, err := json.Marshal(s)
		if err != nil || !strings.Contains(string(got), `"value":`+want+`}`) {
			t.Errorf("%v is marshalled in %s, %v, want %s", value, got, err, want)
		}
	}
	s := record.SearchReport{Moves: []record.RootMove{{Move: rules.West, Value: math.Inf(1)}}}
	if got, err := json.Marshal(s); err == nil {
		t.Errorf("infinity is marshalled as %s", got)
	}
}

func TestUnmarshalSearchReportRejects(t *testing.T) {
	for _, text := range []string{
		`[]`, `{"playouts":"many"}`, `{"nodes":1.5}`, `{"expanded":[[1]]}`, `{"pv":["Q"]}`, `{"moves":["W"]}`,
		`{"moves":[{"move":"W","value":1e999}]}`, `{"time_us":1e30}`, `{"tokens_read":0.5}`, `{"tokens_written":"9"}`,
		`{"pv":["W",null]}`, `{"moves":[null]}`, `{"moves":[{"move":null}]}`, `{"moves":[{"move":"W"},{"value":1}]}`,
	} {
		var s record.SearchReport
		if err := json.Unmarshal([]byte(text), &s); err == nil || !strings.Contains(err.Error(), "search: ") {
			t.Errorf("%s is read as %+v with error %v", text, s, err)
		}
	}
	s := searched()
	if err := json.Unmarshal([]byte(`{"mood":"good","nodes":7}`), &s); err != nil || !reflect.DeepEqual(s, record.SearchReport{Nodes: 7}) {
		t.Errorf("read as %+v, %v, want 7 nodes", s, err)
	}
}

func TestCheckSearchReport(t *testing.T) {
	p := parse(t, rules.GPCC2015, searchedPosition)
	good := searched()
	if err := good.Check(p); err != nil {
		t.Error(err)
	}
	if err := new(record.SearchReport).Check(p); err != nil {
		t.Errorf("the empty report: %v", err)
	}
	for why, spoil := range map[string]func(*record.SearchReport){
		"playouts -1":                 func(s *record.SearchReport) { s.Playouts = -1 },
		"nodes -1":                    func(s *record.SearchReport) { s.Nodes = -1 },
		"time -1ns":                   func(s *record.SearchReport) { s.Time = -1 },
		"tokens read -1":              func(s *record.SearchReport) { s.TokensRead = -1 },
		"tokens written -1":           func(s *record.SearchReport) { s.TokensWritten = -1 },
		"at depth 2":                  func(s *record.SearchReport) { s.Expanded[2] = -7 },
		"expanded at 65 depths":       func(s *record.SearchReport) { s.Expanded = make([]int64, 65) },
		"variation of 99 moves":       func(s *record.SearchReport) { s.Variation = make([]rules.Move, 99) },
		"33 root moves":               func(s *record.SearchReport) { s.Moves = make([]record.RootMove, 33) },
		"illegal move S":              func(s *record.SearchReport) { s.Variation[2] = rules.South; s.Variation[1] = rules.Place(4, false) },
		"the defender is to move":     func(s *record.SearchReport) { s.Variation = s.Variation[1:] },
		"root move: illegal move N":   func(s *record.SearchReport) { s.Moves[0].Move = rules.North },
		"root move W is listed twice": func(s *record.SearchReport) { s.Moves[1].Move = rules.West },
		"has the value NaN":           func(s *record.SearchReport) { s.Moves[1].Value = math.NaN() },
		"has the value -Inf":          func(s *record.SearchReport) { s.Moves[1].Value = math.Inf(-1) },
		"has the value 2e+09":         func(s *record.SearchReport) { s.Moves[1].Value = 2e9 },
		"mate in 1000 plies":          func(s *record.SearchReport) { s.Moves[1].Mate = 1000 },
		`source "luck"`:               func(s *record.SearchReport) { s.Source = "luck" },
		"has the prior 1.5":           func(s *record.SearchReport) { s.Moves[0].Prior = 1.5 },
		"has the prior NaN":           func(s *record.SearchReport) { s.Moves[0].Prior = math.NaN() },
		"has -1 visits":               func(s *record.SearchReport) { s.Moves[1].Visits = -1 },
	} {
		bad := searched()
		spoil(&bad)
		if err := bad.Check(p); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want one that says %q", err, why)
		}
	}
}

// The position with the most legal moves fits a report.
func TestEveryRootMoveFits(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Full)
	var s record.SearchReport
	for _, m := range p.AppendMoves(nil) {
		s.Moves = append(s.Moves, record.RootMove{Move: m})
	}
	if err := s.Check(p); err != nil || len(s.Moves) != record.MaxRootMoves {
		t.Errorf("%d moves: %v, want %d that fit", len(s.Moves), err, record.MaxRootMoves)
	}
}

// A time that is too long for a time.Duration becomes the longest one, and a negative time becomes -1 µs.
func TestSearchReportTimes(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{"time_us":9223372036854775807}`:  math.MaxInt64 / 1000 * 1000,
		`{"time_us":-9223372036854775808}`: -time.Microsecond,
	} {
		var s record.SearchReport
		if err := json.Unmarshal([]byte(text), &s); err != nil || s.Time != want {
			t.Errorf("%s is read as %v, %v, want %v", text, s.Time, err, want)
		}
	}
}

// A report that was read and passed the check is written in a form that reads back
// as the same report.
func FuzzSearchReport(f *testing.F) {
	text, err := json.Marshal(searched())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"moves":[{"move":"E","value":-0.1234567e-7}],"expanded":[]}`)
	f.Add(`{"pv":["W","(1,2)","S","(1,1)"],"time_us":-1}`)
	p := parse(f, rules.GPCC2015, searchedPosition)
	f.Fuzz(func(t *testing.T, text string) {
		var s record.SearchReport
		if json.Unmarshal([]byte(text), &s) != nil || s.Check(p) != nil {
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again record.SearchReport
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatal(err)
		}
		if err := again.Check(p); err != nil {
			t.Fatalf("%s was right before it was written as %s: %v", text, written, err)
		}
		if rewritten, err := json.Marshal(again); err != nil || string(rewritten) != string(written) {
			t.Fatalf("%s is written as %s, read and written again as %s (%v)", text, written, rewritten, err)
		}
	})
}

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
		`{"moves": ["(1,1)", "S"], "searches": [null, {"nodes": -1}]}`:      "searches[1]: search: nodes -1",
		`{"moves": ["(1,1)", "S"], "searches": [{"pv": ["S"]}, null]}`:      "searches[0]: search: move 1 of the principal variation: illegal move S at ply 0",
		`{"moves": ["(1,1)"], "searches": [{"mood": "good"}]}`:              `unknown field "mood"`,
		`{"moves": ["(1,1)"], "searches": [{"moves": [{"move": "here"}]}]}`: `move "here"`,
		`{"moves": ["(1,1)"], "searches": [{"moves": [{"value": 1}]}]}`:     "searches[0]: search: entry 1 of the root moves has no move",
		`{"moves": ["(1,1)"], "searches": [{"pv": [null]}]}`:                "searches[0]: search: move 1 of the principal variation is null",
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

// randomSearch returns a report on p in which any value may be unknown, or nil.
func randomSearch(rng *rand.Rand, p rules.Position) *record.SearchReport {
	if rng.IntN(3) == 0 {
		return nil
	}
	s := record.SearchReport{
		Playouts: rng.Int64N(100) * rng.Int64N(2),
		Nodes:    rng.Int64N(1 << 40),
		Time:     time.Duration(rng.IntN(1e9)) * time.Microsecond,

		TokensRead: rng.Int64N(1<<40) * rng.Int64N(2), TokensWritten: rng.Int64N(100) * rng.Int64N(2),
	}
	for range rng.IntN(5) {
		s.Expanded = append(s.Expanded, rng.Int64N(1000))
	}
	for _, m := range p.AppendMoves(nil) {
		if rng.IntN(2) == 0 {
			s.Moves = append(s.Moves, record.RootMove{Move: m, Value: float64(rng.IntN(1e6)-1000) / 10, Visits: rng.Int64N(10), Prior: float64(rng.IntN(5)) / 4})
		}
	}
	for n := rng.IntN(6); n > 0 && !p.Over(); n-- {
		m := randomMove(rng, p)
		s.Variation = append(s.Variation, m)
		p = p.Next(m)
	}
	return &s
}
