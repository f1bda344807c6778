package stdio_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
)

func position(t testing.TB, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each line is written as it stands here, and read as the value beside it.
func TestRequests(t *testing.T) {
	score, last := 8, rules.Place(5, false)
	for text, want := range map[string]stdio.Request{
		"v2048 1":            stdio.Hello{Version: 1},
		"set depth=6":        stdio.Set{Name: "depth", Value: "6"},
		"set file=a b=c.txt": stdio.Set{Name: "file", Value: "a b=c.txt"},
		"set empty=":         stdio.Set{Name: "empty"},
		"new game=17 role=defender rules=gpcc2016 size=3x2 seed=9007199254740991 move_ms=1000 total_ms=60000 increment_ms=100 match=3 opponent=corner%20keeper resign=true": stdio.New{
			Game: "17", Role: rules.Defender, Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Seed: 1<<53 - 1,
			Clock: players.Clock{PerMove: time.Second, Base: time.Minute, Increment: 100 * time.Millisecond}, Match: 3, Opponent: "corner keeper", Resign: true,
		},
		"new game=a role=attacker rules=gpcc2015 size=4x4 seed=0": stdio.New{Game: "a", Role: rules.Attacker, Size: rules.Full},
		"go 2,0/0,2 D ply=3 score=0 role=defender rules=gpcc2015 size=2x2 left_ms=950 last=(2,2) move_ms=1000": stdio.Go{
			Position: position(t, rules.GPCC2015, "2,0/0,2 D 0 3"), Limited: true, Left: 950 * time.Millisecond, Last: &last, Clock: players.Clock{PerMove: time.Second},
		},
		"go 4,0/0,0 A ply=4 score=4 role=attacker rules=gpcc2016 size=2x2":           stdio.Go{Position: position(t, rules.GPCC2016, "4,0/0,0 A 4 4")},
		"go 4,0/0,0 A ply=4 score=4 role=attacker rules=gpcc2016 size=2x2 left_ms=0": stdio.Go{Position: position(t, rules.GPCC2016, "4,0/0,0 A 4 4"), Limited: true},
		"over":                                 stdio.Over{},
		"over result=won score=8 ending=time":  stdio.Over{Result: stdio.Won, Score: &score, Ending: record.Time},
		"quit":                                 stdio.Quit{},
		"later key=value, from a next version": stdio.Unknown{Text: "later key=value, from a next version"},
	} {
		got, err := stdio.ParseRequest(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis read as %#v, %v\nwant       %#v", text, got, err, want)
		}
		if want.String() != text {
			t.Errorf("%#v is written as\n%s, want\n%s", want, want, text)
		}
	}
}

func TestAnswers(t *testing.T) {
	west, value := rules.West, -12.5
	for text, want := range map[string]stdio.Answer{
		"id name Corner keeper": stdio.ID{Key: "name", Text: "Corner keeper"},
		"id version 1.4.0-rc=2": stdio.ID{Key: "version", Text: "1.4.0-rc=2"},
		"id author":             stdio.ID{Key: "author"},
		"ready":                 stdio.Ready{},
		"option name=depth type=int default=6 min=1 max=20": stdio.Option{Name: "depth", Type: stdio.IntType, Default: "6", Min: "1", Max: "20"},
		"plays": stdio.Plays{},
		"plays rules= size=2x2,4x4 role=attacker":                                     stdio.Plays{Games: rules.ParseVariants([]string{}, []string{"2x2", "4x4"}, []string{"attacker"})},
		"option name=book type=string default=a%20b.txt":                              stdio.Option{Name: "book", Type: stdio.StringType, Default: "a b.txt"},
		"option name=model type=choice default=worst choices=worst,even%2C%20or%20so": stdio.Option{Name: "model", Type: stdio.ChoiceType, Default: "worst", Choices: []string{"worst", "even, or so"}},
		"info depth=5 nodes=1000 visits=40 value=-12.5 time_ms=12.345 pv=W,(2,2),(1,1,4)": stdio.Info{
			Depth: 5, Nodes: 1000, Visits: 40, Value: &value, Time: 12345 * time.Microsecond, PV: []rules.Move{rules.West, rules.Place(5, false), rules.Place(0, true)},
		},
		"info move=W visits=24 value=-12.5 mate=7":             stdio.Info{Move: &west, Visits: 24, Value: &value, Mate: 7},
		"info expanded=1,2,0 time_ms=3 cpu_ms=2.5":             stdio.Info{Expanded: []int64{1, 2, 0}, Time: 3 * time.Millisecond, CPU: 2500 * time.Microsecond},
		"info time_ms=3 tokens_read=812 tokens_written=9 pv=W": stdio.Info{Time: 3 * time.Millisecond, TokensRead: 812, TokensWritten: 9, PV: []rules.Move{rules.West}},
		"info source=proof":                                    stdio.Info{Source: record.FromProof},
		"move N":                                               stdio.Move{Text: "N"},
		"move (2,3,4)":                                         stdio.Move{Text: "(2,3,4)"},
		"move":                                                 stdio.Move{},
		"move to the north":                                    stdio.Move{Text: "to the north"},
		"resign":                                               stdio.Resign{},
		"error out of memory x=1":                              stdio.Error{Text: "out of memory x=1"},
		"debug: thinking = hard":                               stdio.Unknown{Text: "debug: thinking = hard"},
	} {
		got, err := stdio.ParseAnswer(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis read as %#v, %v\nwant       %#v", text, got, err, want)
		}
		if want.String() != text {
			t.Errorf("%#v is written as\n%s, want\n%s", want, want, text)
		}
	}
}

// The order of keys, the number of spaces and unknown keys do not matter.
func TestLooseForms(t *testing.T) {
	want, err := stdio.ParseRequest("go 2,0/0,0 D ply=1 score=0 rules=gpcc2015 left_ms=1000 last=(1,1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"go   last=(1,1) left_ms=1000 2,0/0,0  D  rules=gpcc2015\tscore=0 ply=1",
		"go mood=good 2,0/0,0 D left_ms=1000 ply=1 last=(1,1) =x",
		"go 2,0/0,0 D 0 1 left_ms=5 ply=1 left_ms=1000 last=(1,1)",
	} {
		if got, err := stdio.ParseRequest(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
}

// Keys that a side does not know are ignored, wherever they stand, and so is a line that begins with one.
func TestUnknownKeys(t *testing.T) {
	north := rules.North
	for text, want := range map[string]stdio.Answer{
		"move N later=1": stdio.Move{Text: "N"}, "move later=a=b (2,2)": stdio.Move{Text: "(2,2)"}, "move =1 N": stdio.Move{Text: "N"},
		"plays later=1 size=9x9,2x2,2x2": stdio.Plays{Games: rules.ParseVariants(nil, []string{"2x2"}, nil)},
		"resign later=1":                 stdio.Resign{}, "ready later=1": stdio.Ready{}, "info later=1 move=N": stdio.Info{Move: &north},
		"option later=1 name=a type=int": stdio.Option{Name: "a", Type: stdio.IntType}, "later=1 move N": stdio.Unknown{Text: "later=1 move N"},
	} {
		if got, err := stdio.ParseAnswer(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %#v, %v, want %#v", text, got, err, want)
		}
	}
	for text, want := range map[string]stdio.Request{
		"v2048 later=2 1": stdio.Hello{Version: 1}, "quit later=1": stdio.Quit{}, "over later=1": stdio.Over{},
		"new later=1 role=attacker =2":  stdio.New{Size: rules.Full},
		"go =1 4,0/0,0 later=2 A ply=4": stdio.Go{Position: position(t, rules.GPCC2015, "4,0/0,0 A 4 4")},
		"later=1 quit":                  stdio.Unknown{Text: "later=1 quit"},
	} {
		if got, err := stdio.ParseRequest(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %#v, %v, want %#v", text, got, err, want)
		}
	}
}

// Words end at tabs, too, but at no other space.
func TestTabs(t *testing.T) {
	for text, want := range map[string]stdio.Answer{
		"move\tN": stdio.Move{Text: "N"}, "move \t (2,2)": stdio.Move{Text: "(2,2)"}, "move\u00a0N": stdio.Unknown{Text: "move\u00a0N"}, "id\tname\tcorner keeper": stdio.ID{Key: "name", Text: "corner keeper"},
		"error\tout of memory": stdio.Error{Text: "out of memory"},
	} {
		if got, err := stdio.ParseAnswer(text); err != nil || got != want {
			t.Errorf("%q is read as %#v, %v, want %#v", text, got, err, want)
		}
	}
	if got, err := stdio.ParseRequest("set\tdepth=6"); err != nil || got != (stdio.Set{Name: "depth", Value: "6"}) {
		t.Errorf("a set is read as %#v, %v", got, err)
	}
}

func TestWrongLines(t *testing.T) {
	for _, text := range []string{
		"v2048", "v2048 one", "v2048 0", "set", "set depth", "set =6", "set the depth=6",
		"new", "new role=both", "new role=attacker rules=chess", "new role=attacker size=9x9", "new role=attacker seed=-1", "new role=attacker move_ms=1.5",
		"go", "go 2,0/0,0", "go 2,0/0,0 X", "go 3,0/0,0 D", "go 2,0/0,0 D score=-4", "go 2,0/0,0 D ply=x", "go 2,0/0,0 D left_ms=soon", "go 2,0/0,0 D last=Q",
		"over score=many",
	} {
		_, err := stdio.ParseRequest(text)
		var wrong *stdio.LineError
		if !errors.As(err, &wrong) || wrong.Line != text || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %v", text, err)
		}
	}
	for _, text := range []string{
		"option", "option name=a/b type=int", "info move=Q", "info nodes=-1", "info source=luck", "info value=NaN", "info value=1e12", "info pv=N,,S",
		"info expanded=1,x", "info time_ms=-1", "info mate=1000", "info visits=1.5", "info time_ms=Inf",
	} {
		_, err := stdio.ParseAnswer(text)
		var wrong *stdio.LineError
		if !errors.As(err, &wrong) || wrong.Line != text {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestOptionChecks(t *testing.T) {
	number := stdio.Option{Name: "n", Type: stdio.IntType, Min: "1", Max: "9"}
	for _, c := range []struct {
		option stdio.Option
		good   []string
		bad    []string
	}{
		{number, []string{"1", "9"}, []string{"0", "10", "x", "1.5", ""}},
		{stdio.Option{Type: stdio.FloatType, Min: "0"}, []string{"0", "1e9", "2.5"}, []string{"-1", "x", ""}},
		{stdio.Option{Type: stdio.FloatType}, []string{"-1e300"}, []string{"NaN", "inf", "1e999"}},
		{stdio.Option{Type: stdio.BoolType}, []string{"true", "false"}, []string{"1", ""}},
		{stdio.Option{Type: stdio.ChoiceType, Choices: []string{"a", "b"}}, []string{"a", "b"}, []string{"c", ""}},
		{stdio.Option{Type: stdio.StringType}, []string{"", "a b"}, []string{"a\nset x=1"}},
		{stdio.Option{Type: "color"}, []string{"red"}, nil},
	} {
		for _, value := range c.good {
			if err := c.option.Check(value); err != nil {
				t.Error(err)
			}
		}
		for _, value := range c.bad {
			if c.option.Check(value) == nil {
				t.Errorf("%v accepts %q", c.option, value)
			}
		}
	}
}

func TestReader(t *testing.T) {
	long := strings.Repeat("x", stdio.MaxLine)
	r := stdio.NewReader(strings.NewReader("\n\nready\r\n  \r\n\tmove  N \n" + long + "\r\n\xff\nend"))
	for _, want := range []string{"ready", "move  N", long, "\uFFFD", "end"} {
		if got, err := r.Line(); err != nil || got != want {
			t.Fatalf("line %.80q, %v, want %.80q", got, err, want)
		}
	}
	if _, err := r.Line(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	for _, text := range []string{long + "x\n", long + "x", long + long + long} {
		if _, err := stdio.NewReader(strings.NewReader(text)).Line(); !errors.Is(err, stdio.ErrTooLong) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// A text with line ends cannot become two lines.
func TestNoLineBreaks(t *testing.T) {
	for _, l := range []interface{ String() string }{
		stdio.Error{Text: "a\nmove N"},
		stdio.ID{Key: "name", Text: "a\r\nready"},
		stdio.Set{Name: "a", Value: "b\nquit"},
		stdio.Move{Text: "N\nmove S"},
		stdio.New{Game: "a\nquit", Opponent: "b\nquit"},
		stdio.Option{Name: "a", Default: "b\nready", Choices: []string{"c\nready"}},
	} {
		if strings.ContainsAny(l.String(), "\r\n") {
			t.Errorf("%q", l.String())
		}
	}
}

// A report that is written as lines is the same when the lines are read.
func TestSearchRoundTrip(t *testing.T) {
	want := &record.SearchReport{
		Playouts: 40, Nodes: 7, Expanded: []int64{1, 2}, Time: 1650 * time.Microsecond, CPU: 1640 * time.Microsecond,
		TokensRead: 812, TokensWritten: 9, Source: record.FromSearch,
		Variation: []rules.Move{rules.West, rules.Place(4, false)},
		Moves:     []record.RootMove{{Move: rules.West, Value: 21.123456789, Visits: 24, Prior: 0.75}, {Move: rules.South, Value: 20, Visits: 16, Mate: 9}},
	}
	var s stdio.Search
	for _, info := range stdio.Infos(want) {
		a, err := stdio.ParseAnswer(info.String())
		if err != nil {
			t.Fatal(err)
		}
		s.Add(a.(stdio.Info))
	}
	if got := s.Report(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if stdio.Infos(nil) != nil || new(stdio.Search).Report() != nil {
		t.Error("lines of no report, or a report of no lines")
	}
}

// Later lines take the place of earlier ones, as a search that deepens sends them.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		lines string
		want  record.SearchReport
	}{
		{"info depth=1 nodes=4 value=3 pv=W\ninfo depth=2 nodes=40 visits=9 value=5 pv=N,(1,1)", record.SearchReport{
			Nodes: 40, Playouts: 9, Variation: []rules.Move{rules.North, rules.Place(0, false)}, Moves: []record.RootMove{{Move: rules.North, Value: 5, Visits: 9}},
		}},
		{"info move=W value=1\ninfo move=N value=2\ninfo move=W value=3 visits=1", record.SearchReport{
			Moves: []record.RootMove{{Move: rules.North, Value: 2}, {Move: rules.West, Value: 3, Visits: 1}},
		}},
		{"info value=3", record.SearchReport{}},
		{"info value=3 visits=2\ninfo pv=W", record.SearchReport{
			Playouts: 2, Variation: []rules.Move{rules.West}, Moves: []record.RootMove{{Move: rules.West, Value: 3, Visits: 2}},
		}},
		{"info value=3\ninfo value=4 pv=W\ninfo pv=N", record.SearchReport{Variation: []rules.Move{rules.North}}},
		{"info tokens_read=3\ninfo tokens_read=5 tokens_written=1\ninfo nodes=1", record.SearchReport{Nodes: 1, TokensRead: 5, TokensWritten: 1}},
		{"info nodes=3\ninfo time_ms=5", record.SearchReport{Nodes: 3, Time: 5 * time.Millisecond}},
		{"info source=search\ninfo source=proof\ninfo nodes=1", record.SearchReport{Nodes: 1, Source: record.FromProof}},
	} {
		var s stdio.Search
		for line := range strings.SplitSeq(c.lines, "\n") {
			a, err := stdio.ParseAnswer(line)
			if err != nil {
				t.Fatal(err)
			}
			s.Add(a.(stdio.Info))
		}
		if got := s.Report(); !reflect.DeepEqual(got, &c.want) {
			t.Errorf("%s\nmakes %+v\nwant  %+v", c.lines, got, c.want)
		}
	}
}

// A parsed line is written in a form that parses to the same value.
func FuzzRequest(f *testing.F) {
	for _, line := range []string{
		"v2048 1", "set a=b c", "new game=a%20b role=attacker size=3x3 seed=7", "go 2,0/0,0 D ply=1 score=0 left_ms=5 last=(1,1)", "over score=3 ending=mate", "quit", "what", "",
		"go 65536,65536/0,0 D 0 1", "new game=%zz role=defender total_ms=1",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := stdio.ParseRequest(line)
		if err != nil {
			return
		}
		if _, unknown := r.(stdio.Unknown); unknown {
			return
		}
		again, err := stdio.ParseRequest(r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q is written as %q, which is read as %v (%v)", line, r, again, err)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for _, line := range []string{
		"id name a b", "option name=a type=choice default=b%20 choices=b,c min=1 max=2", "plays size=4x4,9x9 rules=", "ready", "info move=(1,1) value=1e3 visits=2 mate=3",
		"info pv=N,(2,3),S expanded=1,2 time_ms=0.0015", "move N", "move", "resign", "error what", "x y", "", "id",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		a, err := stdio.ParseAnswer(line)
		if err != nil {
			return
		}
		if _, unknown := a.(stdio.Unknown); unknown {
			return
		}
		again, err := stdio.ParseAnswer(a.String())
		if err != nil || again.String() != a.String() {
			t.Fatalf("%q is written as %q, which is read as %v (%v)", line, a, again, err)
		}
	})
}
