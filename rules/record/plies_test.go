package record_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"versus2048/internal/text/plain"
	"versus2048/rules/record"
)

// allocated returns the number of bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A list that is too long for any game is refused before memory is taken for its entries.
func TestListsByPliesAreBounded(t *testing.T) {
	const most = record.MaxPlies
	list := func(entry string, n int) string { return "[" + strings.Repeat(entry+",", n-1) + entry + "]" }
	for text, why := range map[string]string{
		`{"moves": ` + list(`""`, most+1) + `}`:                                          "a list of more than 262144 plies",
		`{"moves": [], "times_us": ` + list("0", 10*most) + `}`:                          "a list of more than 262144 plies",
		`{"moves": [], "searches": ` + list("{}", 10*most) + `}`:                         "a list of more than 262144 plies",
		`{"moves": ["(1,1)"], "searches": [{"moves": ` + list("{}", most) + `}]}`:        "entry 1 of a list with one entry for each ply has more than 320 values",
		`{"moves": ["(1,1)"], "searches": [null, {"expanded": ` + list("0", 321) + `}]}`: "entry 2 of a list with one entry for each ply has more than 320 values",
	} {
		var r record.Record
		var err error
		if took := allocated(func() { err = json.Unmarshal([]byte(text), &r) }); took > uint64(6*len(text)+1<<16) {
			t.Errorf("reading %d bytes took %d", len(text), took)
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.60s...: error %v, want one that says %q", text, err, why)
		}
	}
	if _, err := record.ParseSearches([]byte(list("{}", most+1))); err == nil {
		t.Error("a list of too many reports is read")
	}
	reports, err := record.ParseSearches([]byte(`[null, {"nodes": 7, "mood": "unknown keys are ignored"}]`))
	if err != nil || len(reports) != 2 || reports[0] != nil || reports[1].Nodes != 7 {
		t.Errorf("read as %v, %v", reports, err)
	}
}

// Times that a database cannot hold are refused, not turned into other times.
func TestTimesOutOfRange(t *testing.T) {
	for _, text := range []string{
		`{"moves": ["(1,1)", "S"], "times_us": [0, -1]}`,
		`{"moves": ["(1,1)"], "times_us": [-1]}`,
		`{"moves": ["(1,1)"], "lags_us": [9223372036854775807]}`,
	} {
		var r record.Record
		if err := json.Unmarshal([]byte(text), &r); err == nil || !strings.Contains(err.Error(), "_us: entry ") {
			t.Errorf("%s is read as %v, %v, want an error for an entry", text, r.Times, err)
		}
	}
}

func TestTextIsBounded(t *testing.T) {
	_, err := record.Parse(strings.Repeat("x", 5<<20))
	var long *plain.TooLongError
	if !errors.As(err, &long) || !strings.HasPrefix(err.Error(), "record, line 1: ") {
		t.Errorf("error %.200v, want that line 1 is too long", err)
	}
	// The moves of a text are counted before they are played.
	_, err = record.Parse(strings.Repeat(strings.Repeat("(1,1) S ", 1000)+"\n", record.MaxPlies/2000+1))
	var wrong *record.Error
	if !errors.As(err, &wrong) || wrong.Line != 132 || !strings.Contains(err.Error(), "no game has more than 262144 plies") {
		t.Errorf("error %v, want that line 132 has a move too many", err)
	}
	// After an error the next game can still be read, on the line where its tags begin.
	for _, first := range []string{"1. Q S\n\n", "[Evnt \"x\"]\n\n"} {
		in := record.NewReader(strings.NewReader(first + "[Size \"2x2\"]\n\n1. (1,1) S\n"))
		if _, err := in.Read(); !errors.As(err, &wrong) {
			t.Errorf("the first game: %v", err)
		}
		if r, err := in.Read(); err != nil || len(r.Moves) != 2 {
			t.Errorf("the second game: %v, %v", r, err)
		}
	}
}
