package record_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// searched is the report of a search in searchedPosition, in which every fact
// is known.
func searched() record.SearchReport {
	return record.SearchReport{
		Playouts: 1000, Nodes: 40, Expanded: []int64{1, 2, 0, 1}, Time: 5123 * time.Microsecond,
		Variation: []rules.Move{rules.West, rules.Place(5, false), rules.North},
		Moves:     []record.RootMove{{rules.West, 12.25, 700}, {rules.East, -3, 300}},
	}
}

const searchedPosition = "2,2/0,0 D 0 3"

func TestSearchReportJSON(t *testing.T) {
	for want, s := range map[string]record.SearchReport{
		`{"playouts":1000,"nodes":40,"expanded":[1,2,0,1],"time_us":5123,"pv":["W","(2,2)","N"],` +
			`"moves":[{"move":"W","value":12.25,"visits":700},{"move":"E","value":-3,"visits":300}]}`: searched(),
		`{}`:                             {},
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

// The six digits of a value are the leading ones.
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

func TestUnmarshalSearchReportRefuses(t *testing.T) {
	for _, text := range []string{
		`[]`, `{"playouts":"many"}`, `{"nodes":1.5}`, `{"expanded":[[1]]}`, `{"pv":["Q"]}`, `{"moves":["W"]}`,
		`{"moves":[{"move":"W","value":1e999}]}`, `{"time_us":1e30}`,
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
		"at depth 2":                  func(s *record.SearchReport) { s.Expanded[2] = -7 },
		"a list of 65 plies":          func(s *record.SearchReport) { s.Expanded = make([]int64, 65) },
		"a list of 99 plies":          func(s *record.SearchReport) { s.Variation = make([]rules.Move, 99) },
		"33 root moves":               func(s *record.SearchReport) { s.Moves = make([]record.RootMove, 33) },
		"illegal move S":              func(s *record.SearchReport) { s.Variation[2] = rules.South; s.Variation[1] = rules.Place(4, false) },
		"other side":                  func(s *record.SearchReport) { s.Variation = s.Variation[1:] },
		"root move: illegal move N":   func(s *record.SearchReport) { s.Moves[0].Move = rules.North },
		"root move W is listed twice": func(s *record.SearchReport) { s.Moves[1].Move = rules.West },
		"has the value NaN":           func(s *record.SearchReport) { s.Moves[1].Value = math.NaN() },
		"has the value -Inf":          func(s *record.SearchReport) { s.Moves[1].Value = math.Inf(-1) },
		"has the value 2e+09":         func(s *record.SearchReport) { s.Moves[1].Value = 2e9 },
		"has -1 visits":               func(s *record.SearchReport) { s.Moves[1].Visits = -1 },
	} {
		bad := searched()
		spoil(&bad)
		if err := bad.Check(p); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want one that says %q", err, why)
		}
	}
}

// Where the most moves are legal, all fit in a report.
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

// Times that a time.Duration can't hold become those nearest to them.
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

// What is read and has passed the check is written in a way that is read as the
// same.
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
