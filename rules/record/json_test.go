package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
)

// times returns n times: 1, 2, 3 ... microseconds.
func times(n int) []time.Duration {
	var all []time.Duration
	for i := range n {
		all = append(all, time.Duration(i+1)*time.Microsecond)
	}
	return all
}

func TestRecordJSON(t *testing.T) {
	r := record.Record{
		Event: "autumn", Game: "12", Date: "2026-11-21",
		Attacker: "Ada", Defender: "Bob", AttackerSeed: 1<<53 - 1, DefenderSeed: 7,
		Start: parse(t, rules.GPCC2016, "2,2/0,0 D 0 3"),
		Moves: []rules.Move{rules.West, rules.Place(5, true)},
		Times: times(2), Lags: times(2),
		Ending: record.Time, Detail: "no answer in 5s",
	}
	want := `{"event":"autumn","game":"12","date":"2026-11-21","attacker":"Ada","defender":"Bob",` +
		`"attacker_seed":9007199254740991,"defender_seed":7,"rules":"gpcc2016","size":"2x2","start":"2,2/0,0 D 0 3",` +
		`"moves":["W","(2,2,4)"],"score":4,"largest_tile":4,"winner":"attacker","ending":"time","detail":"no answer in 5s",` +
		`"times_us":[1,2],"lags_us":[1,2]}`
	got, err := json.Marshal(r)
	if err != nil || string(got) != want {
		t.Errorf("marshalled %s, %v\nwant %s", got, err, want)
	}
}

func TestRecordJSONLeavesOut(t *testing.T) {
	r := record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Unfinished}
	want := `{"rules":"gpcc2015","size":"4x4","moves":[],"score":0,"largest_tile":0,"ending":"unfinished"}`
	got, err := json.Marshal(&r)
	if err != nil || string(got) != want {
		t.Errorf("marshalled %s, %v\nwant %s", got, err, want)
	}
}

func TestUnmarshalRecordDefaults(t *testing.T) {
	var r record.Record
	if err := json.Unmarshal([]byte(`{"size": "2x2", "moves": ["(1,1)", "S"]}`), &r); err != nil {
		t.Fatal(err)
	}
	if want := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}); r.Start != want || r.Ending != record.Unfinished || len(r.Moves) != 2 {
		t.Errorf("read as %+v", r)
	}
}

func TestUnmarshalRecordRejects(t *testing.T) {
	for text, why := range map[string]string{
		`[]`:                                    "cannot unmarshal array",
		`null`:                                  "null is no game",
		`{"evnt": "x"}`:                         `unknown field "evnt"`,
		`{"moves": "AAAA"}`:                     "cannot unmarshal string",
		`{"moves": ["(1,1)", "Q"]}`:             `moves[1]: move "Q": want N, S, W, E`,
		`{"moves": ["(1,1)", "N"]}`:             "moves[1]: illegal move N at ply 1",
		`{"moves": ["(1,1)", "S"], "score": 4}`: `score "4": want "0"`,
		`{"moves": ["(1,1)"], "largest_tile": 4}`:        `largest tile "4": want "2"`,
		`{"moves": ["(1,1)"], "winner": "attacker"}`:     `winner "attacker": want none, which follows`,
		`{"moves": ["(1,1)"], "ending": "mate"}`:         "not mated",
		`{"moves": ["(1,1)"], "times_us": []}`:           "times_us: 0 entries for 1 moves",
		`{"moves": ["(1,1)"], "lags_us": [1, 2]}`:        "lags_us: 2 entries for 1 moves",
		`{"attacker_seed": 1.5}`:                         `seed "1.5": want a whole number`,
		`{"rules": "solo", "start": "2,4/4,2 A"}`:        "no cell is empty",
		`{"size": "2x2", "start": "2,4,0/4,2,0 A"}`:      "want 2x2, the size given",
		`{"date": "2026-02-30", "ending": "unfinished"}`: "want YYYY-MM-DD",

		`{"moves": ["(1,1)"], "pauses": [{"ply": 0, "stall_us": 7, "mood": "calm"}]}`: `pause: json: unknown field "mood"`,
		`{"moves": ["(1,1)"], "pauses": [{"ply": 0}, null]}`:                          "pause: null is no pause",
		`{"moves": ["(1,1)"], "pauses": [{"ply": 2}]}`:                                "pauses: ply 2 of 1 moves: want 0 to 1",
		`{"moves": ["(1,1)"], "pauses": [{"ply": -1}]}`:                               "pauses: ply -1 of 1 moves: want 0 to 1",
		`{"moves": ["(1,1)"], "pauses": [{"ply": 1}, {"ply": 1}]}`:                    "pauses: ply 1 after ply 1: want each ply once, in order",
	} {
		var r record.Record
		if err := json.Unmarshal([]byte(text), &r); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s is read as %+v with error %v, want one that says %q", text, r, err, why)
		}
	}
}

func TestMarshalRecordRejects(t *testing.T) {
	r := mated(t)
	r.Moves = r.Moves[:3]
	if data, err := json.Marshal(r); err == nil || !strings.Contains(err.Error(), "not mated") {
		t.Errorf("marshalled %s, %v, want an error", data, err)
	}
}

// A record that is read is written in a form that reads back as the same record.
func FuzzRecordJSON(f *testing.F) {
	f.Add(`{"rules":"gpcc2016","size":"2x2","start":"2,2/0,0 D 0 3","moves":["W","(2,2,4)"],"times_us":[1,2],"lags_us":[0,2],"ending":"time"}`)
	f.Add(`{"size":"2x2","moves":["(1,1)","S"],"searches":[null,{"nodes":7,"pv":["S"],"moves":[{"move":"S","value":1.5}]}]}`)
	f.Add(`{"attacker_seed":9007199254740991,"date":"2026-11-21","detail":"\u2028\ud800","moves":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		testkit.CheckAllocation(t, len(text), 128, func() {
			var r record.Record
			if json.Unmarshal([]byte(text), &r) != nil {
				return
			}
			written, err := json.Marshal(r)
			if err != nil {
				t.Fatalf("%s is read, but cannot be written: %v", text, err)
			}
			var again record.Record
			if err := json.Unmarshal(written, &again); err != nil {
				t.Fatalf("%s is written as %s, which cannot be read: %v", text, written, err)
			}
			if rewritten, err := json.Marshal(again); err != nil || string(rewritten) != string(written) {
				t.Fatalf("%s is written as %s, read and written again as %s (%v)", text, written, rewritten, err)
			}
		})
	})
}

// Packed moves that are read can be packed again, for either side to move first.
func FuzzUnpackTurns(f *testing.F) {
	f.Add([]byte{0x00, 0x21, 0x85}, false)
	f.Add([]byte{0xe0, 0x21, 0x85}, true)
	f.Fuzz(func(t *testing.T, packed []byte, defenderFirst bool) {
		first := rules.Attacker
		if defenderFirst {
			first = rules.Defender
		}
		moves, err := record.UnpackTurns(packed, first)
		if err != nil {
			return
		}
		again, err := record.UnpackTurns(record.PackTurns(moves), first)
		if err != nil || !slices.Equal(again, moves) {
			t.Fatalf("%x is unpacked as %v, then as %v, %v", packed, moves, again, err)
		}
	})
}

// ParseSearches returns no more entries than a game has plies, and takes memory in proportion to the text.
func FuzzParseSearches(f *testing.F) {
	f.Add([]byte(`[null,{"nodes":7,"expanded":[1,2],"pv":["N"],"moves":[{"move":"(1,1,4)","value":-1e9}]},{}]`))
	f.Add([]byte(`[[[[[[{"a":"\"]"}]]]]]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		testkit.CheckAllocation(t, len(text), 128, func() {
			if searches, err := record.ParseSearches(text); err == nil && len(searches) > record.MaxPlies {
				t.Fatalf("%d reports", len(searches))
			}
		})
	})
}
