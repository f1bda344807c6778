package record_test

import (
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
)

func TestRecordText(t *testing.T) {
	r := mated(t)
	r.Event, r.Game, r.Date = `the "small" one`, "12", "2026-11-21"
	r.Attacker, r.Defender, r.DefenderSeed = "Ada", "Bob", 2015
	want := `[Event "the \"small\" one"]
[Game "12"]
[Date "2026-11-21"]
[Attacker "Ada"]
[Defender "Bob"]
[DefenderSeed "2015"]
[Rules "gpcc2015"]
[Size "2x2"]
[Result "8"]
[Ending "mate"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)

`
	if got := recordText(t, &r); got != want {
		t.Errorf("written\n%swant\n%s", got, want)
	}
}

func TestRecordTextFromThePosition(t *testing.T) {
	r := record.Record{
		Start:  parse(t, rules.GPCC2016, "0,4/0,0 D 0 1"),
		Moves:  []rules.Move{rules.West, rules.Place(5, true)},
		Ending: record.IllegalMove,
		Detail: "it answered Q",
	}
	want := `[Rules "gpcc2016"]
[Size "2x2"]
[Start "0,4/0,0 D 0 1"]
[Result "0"]
[Winner "attacker"]
[Ending "illegal-move"]
[Detail "it answered Q"]

1. ... W 2. (2,2,4)

`
	if got := recordText(t, &r); got != want {
		t.Errorf("written\n%swant\n%s", got, want)
	}
}

func TestTurnsAreWrapped(t *testing.T) {
	r := record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Unfinished}
	for range 100 {
		p, err := r.Replay()
		if err != nil {
			t.Fatal(err)
		}
		r.Moves = append(r.Moves, p.AppendMoves(nil)[0])
	}
	_, turns, _ := strings.Cut(strings.TrimRight(recordText(t, &r), "\n"), "\n\n")
	lines := strings.Split(turns, "\n")
	for i, line := range lines {
		if len(line) > 80 || len(line) < 60 && i < len(lines)-1 || line != strings.TrimSpace(line) {
			t.Errorf("line of %d columns: %q", len(line), line)
		}
	}
	if len(lines) < 7 {
		t.Errorf("%d lines for 50 turns", len(lines))
	}
}

func TestWriteTextRefuses(t *testing.T) {
	for why, spoil := range map[string]func(*record.Record){
		"illegal move":   func(r *record.Record) { r.Moves[0] = rules.North },
		"Move(200)":      func(r *record.Record) { r.Moves[0] = 200 },
		`ending ""`:      func(r *record.Record) { r.Ending = "" },
		"is mated":       func(r *record.Record) { r.Ending = record.Time },
		"seed":           func(r *record.Record) { r.AttackerSeed = 1 << 53 },
		"YYYY-MM-DD":     func(r *record.Record) { r.Date = "today" },
		`size "0x0"`:     func(r *record.Record) { r.Start = rules.Position{} },
		"10 moves":       func(r *record.Record) { r.Moves = r.Moves[:10]; r.Ending = record.Unfinished; r.Lags = times(9) },
		"1 entries for ": func(r *record.Record) { r.Times = times(1) },
	} {
		r := mated(t)
		spoil(&r)
		var b strings.Builder
		if err := r.WriteText(&b); err == nil || !strings.Contains(err.Error(), why) || b.Len() > 0 {
			t.Errorf("error %v with %d bytes written, want one that says %q", err, b.Len(), why)
		}
	}
}
