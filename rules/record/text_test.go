package record_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

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

func TestWriteTextRejects(t *testing.T) {
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

// A game may be typed with its moves only, and in several other ways.
func TestParseTypedGames(t *testing.T) {
	tags := "[Size \"2x2\"]\n\n"
	for name, text := range map[string]string{
		"plain":        tags + "1. (1,1) S 2. (1,1) E\n",
		"no numbers":   tags + "(1,1) S (1,1) E",
		"no spaces":    tags + "1.(1,1) S 2.(1,1) E",
		"broken lines": tags + "1.\n(1,1)\nS\n\n2. (1,1)   \t E\n\n\n",
		"Windows":      strings.ReplaceAll(tags+"1. (1,1) S\n2. (1,1) E\n", "\n", "\r\n"),
		"no blank":     "[Size \"2x2\"]\n1. (1,1) S 2. (1,1) E",
		"comments":     "; a game\n\n[Size   \"2x2\"] ; small\n; still tags\n[Ending \"unfinished\"];\n\n1. (1,1) S ; 2. (2,2) W\n;\n2. (1,1) E;",
		"given start":  "[Start \"0,0/0,0 A\"]\n(1,1) S (1,1) E",
		"any order":    "[Ending \"unfinished\"]\n[Result \"0\"]\n[Start \"0,0/0,0 A 0 0\"]\n[Size \"2x2\"]\n[Event \"\"]\n[Rules \"gpcc2015\"]\n\n(1,1) S (1,1) E",
	} {
		r, err := record.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := "[Rules \"gpcc2015\"]\n[Size \"2x2\"]\n[Result \"0\"]\n[Ending \"unfinished\"]\n\n1. (1,1) S 2. (1,1) E\n\n"
		if got := recordText(t, &r); got != want {
			t.Errorf("%s: read as\n%s", name, got)
		}
	}
}

func TestParseDefaults(t *testing.T) {
	r, err := record.Parse("(4,4) W")
	if err != nil {
		t.Fatal(err)
	}
	if r.Start != rules.NewPosition(rules.GPCC2015, rules.Full) || r.Ending != record.Unfinished || len(r.Moves) != 2 {
		t.Errorf("read as %+v", r)
	}
	if r := mated(t); r.Ending != record.Mate {
		t.Errorf("a mated game ends with %q", r.Ending)
	}
}

var wrongRecords = []struct {
	text               string
	line, column, turn int
	why                string
}{
	{"[Evnt \"x\"]\n", 1, 1, 0, `tag "Evnt": want one of [Event Game`},
	{"[Event x]\n", 1, 1, 0, `want [Name "value"]`},
	{"[Event 'x']\n", 1, 1, 0, `want [Name "value"]`},
	{"[Event `x`]\n", 1, 1, 0, `want [Name "value"]`},
	{"[Event \"x\"\n", 1, 1, 0, `want [Name "value"]`},
	{"[Event \"x\"] 1. (1,1)\n", 1, 1, 0, `want [Name "value"]`},
	{"[", 1, 1, 0, `want [Name "value"]`},
	{"[Event \"x\"]\n[Game \"1\"]\n[Event \"y\"]\n", 3, 1, 0, "appears on line 1 already"},
	{"[Date \"21.11.2026\"]\n", 1, 1, 0, "want YYYY-MM-DD"},
	{"\n[Rules \"chess\"]\n", 2, 1, 0, "want gpcc2015, gpcc2016 or solo"},
	{"[Size \"8x8\"]\n", 1, 1, 0, "want WIDTHxHEIGHT"},
	{"[AttackerSeed \"-1\"]\n", 1, 1, 0, "want a whole number from 0 to 2^53-1"},
	{"[DefenderSeed \"9007199254740992\"]\n", 1, 1, 0, "want a whole number from 0 to 2^53-1"},
	{"[Start \"2,0/0 A\"]\n", 1, 1, 0, "row 2 has 1 cells"},
	{"[Size \"4x4\"]\n[Start \"2,0/0,0 A\"]\n", 2, 1, 0, "want 4x4, the size given"},
	{"[Rules \"gpcc2015\"]\n[Start \"4,0/0,0 A 0 2\"]\n", 2, 1, 0, "want 4, the score"},
	{"[Result \"4\"]\n\n1. (1,1) S", 1, 1, 0, `score "4": want "0"`},
	{"[Winner \"attacker\"]\n\n1. (1,1) S", 1, 1, 0, `winner "attacker": want none`},
	{"[Winner \"attacker\"]\n[Ending \"time\"]\n\n1. (1,1) S", 1, 1, 0, `winner "attacker": want "defender"`},
	{"[Ending \"bored\"]\n", 1, 1, 0, "want one of [unfinished mate"},
	{"[Ending \"mate\"]\n\n1. (1,1) S", 1, 1, 0, "the defender is not mated"},
	{"[Start \"2,4/4,2 D\"]\n[Ending \"time\"]\n", 2, 1, 0, "the defender is mated"},
	{"1. (1,1) S\n2. (5,5) N", 2, 4, 2, `move "(5,5)": want N, S, W, E`},
	{"1. (1,1) s", 1, 10, 1, `move "s": want N, S, W, E`},
	{"1. (1,1) S 3. (1,1) N", 1, 12, 2, `turn number "3.": want "2."`},
	{"01. (1,1) S", 1, 1, 1, `turn number "01.": want "1."`},
	{"1. (1,1) 1. S", 1, 10, 1, "inside the turn"},
	{"12", 1, 1, 1, `turn number "12": want "1."`},
	{"1. (1,1) (1,2)", 1, 10, 1, "want the slide of this turn"},
	{"1. ... (1,2)", 1, 8, 1, "want the slide of this turn"},
	{"1. (1,1) S 2. ... W", 1, 15, 2, `move "...": want`},
	{"1. ... W", 1, 8, 1, "a slide, but the attacker is to move"},
	{"1. (1,1) N", 1, 10, 1, "the slide changes nothing: want one of [S E]"},
	{"1. (1,1) S 2. (1,4) N", 1, 15, 2, "the cell is occupied"},
	{"1. (1,1,4) S", 1, 4, 1, "these rules place only 2s"},
	{"[Start \"2,4/4,2 D\"]\n\n1. ... W", 3, 8, 1, "the game is over"},
}

func TestParseRejects(t *testing.T) {
	for _, test := range wrongRecords {
		_, err := record.Parse(test.text)
		var wrong *record.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%q: error %v, want an Error", test.text, err)
			continue
		}
		if wrong.Line != test.line || wrong.Column != test.column || wrong.Turn != test.turn || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%q: error %v\nwant line %d, column %d, turn %d, %s", test.text, err, test.line, test.column, test.turn, test.why)
		}
	}
}

func TestParseWantsOneGame(t *testing.T) {
	for text, why := range map[string]string{
		"":                            "the text is empty",
		"\n; only a comment\n\n":      "the text is empty",
		"(1,1)\n\n[Event \"second\"]": "line 3: a second game",
		"[Event \"first\"]\n\n[Event \"second\"]": "line 3: a second game",
		"(1,1)\n\n[" + strings.Repeat("x", 5<<20): "line 3: a line is longer than",
	} {
		if r, err := record.Parse(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.100q is read as %+v with error %v, want one that says %q", text, r, err, why)
		}
	}
}

// Games that are written one after another are read one after another, and an invalid game does not affect the
// others.
func TestReader(t *testing.T) {
	first, last := mated(t), mated(t)
	first.Game, last.Game = "1", "5"
	bare := record.Record{Game: "2", Start: rules.NewPosition(rules.Solo, rules.Full), Ending: record.Unfinished}
	text := recordText(t, &first) + recordText(t, &bare) +
		"[Game \"3\"]\n[Evnt \"\"]\n\n1. (1,1) E\n\n[Game \"4\"]\n1. (1,1) Q\n2. (1,1) E\n" + recordText(t, &last)
	rr := record.NewReader(iotest.OneByteReader(strings.NewReader(text)))
	for _, want := range []string{"1", "2", "unknown tag", "unknown move", "5"} {
		r, err := rr.Read()
		var wrong *record.Error
		if strings.HasPrefix(want, "unknown") {
			if !errors.As(err, &wrong) {
				t.Errorf("%s: error %v, want an Error", want, err)
			}
		} else if err != nil || r.Game != want {
			t.Errorf("game %q, error %v, want game %s", r.Game, err, want)
		}
	}
	for range 2 {
		if r, err := rr.Read(); err != io.EOF {
			t.Errorf("after the last game: %+v, %v", r, err)
		}
	}
}

func TestReaderReturnsErrors(t *testing.T) {
	broken := errors.New("broken disk")
	for _, text := range []string{"1. (1,1) S\n", "1. (1,1) S\n2. (1,"} {
		rr := record.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if r, err := rr.Read(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q is read as %+v, error %v, want %v in line 2", text, r, err, broken)
		}
	}
}

// Both forms keep the error that Play returned for an illegal move.
func TestIllegalMovesInRecords(t *testing.T) {
	_, textErr := record.Parse("(1,1) S (1,4) N")
	jsonErr := json.Unmarshal([]byte(`{"moves": ["(1,1)", "S", "(1,4)", "N"]}`), new(record.Record))
	for _, err := range []error{textErr, jsonErr} {
		var illegal *rules.IllegalMoveError
		if !errors.As(err, &illegal) || illegal.Reason != rules.CellOccupied || illegal.Position.Ply() != 2 {
			t.Errorf("error %v, want an IllegalMoveError at ply 2", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	typed, err := os.ReadFile("testdata/65536.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(typed))
	f.Add("[Rules \"solo\"]\n[Start \"0,4/0,0 D 0 1\"]\n[Ending \"time\"]\n[AttackerSeed \"7\"]\n\n1. ... W 2. (2,2,4)")
	for _, test := range wrongRecords {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := record.Parse(text)
		if err != nil {
			return
		}
		// JSON has no room for broken UTF-8.
		for _, s := range []*string{&r.Event, &r.Game, &r.Attacker, &r.Defender, &r.Detail} {
			*s = strings.ToValidUTF8(*s, "?")
		}
		roundTrip(t, r)
	})
}
