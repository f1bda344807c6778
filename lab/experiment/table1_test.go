package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
)

// The store is searched for these names, bots and seed.
func TestTable1Events(t *testing.T) {
	s := Config{Matches: PaperMatches, Playouts: PaperPlayouts, Size: rules.Full, Seed: 1, Concurrency: 2}
	const mcts, dag, evminimax = "mcts:playouts=10000,c=1000,expand=5", "dag:playouts=10000,c=1000,expand=5", "evminimax:depth=3"
	for i, want := range []struct{ name, first, second string }{
		{"table1 MCTS/evMiniMax", "MCTS=" + mcts, "evMiniMax=" + evminimax},
		{"table1 MCTS2/evMiniMax", "MCTS2=" + dag, "evMiniMax=" + evminimax},
		{"table1 MCTS2/MCTS", "MCTS2=" + dag, "MCTS=" + mcts},
	} {
		e := table1Events(t, s)[i]
		if e.Name != want.name || e.Matches != 80 || e.Seed != 1 || e.Size != rules.Full || e.Rules != rules.GPCC2015 {
			t.Errorf("event %+v, want %q", e, want.name)
		}
		for j, bot := range []string{want.first, want.second} {
			name, spec, _ := strings.Cut(bot, "=")
			if got := e.Entries[j]; got.Name != name || got.Spec != fullSpec(spec) {
				t.Errorf("%s: bot %+v, want %s", e.Name, got, bot)
			}
		}
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for why, spoil := range map[string]func(*Config){
		"playouts=0":      func(s *Config) { s.Playouts = 0 },
		"0 matches":       func(s *Config) { s.Matches = 0 },
		"0 games at once": func(s *Config) { s.Concurrency = 0 },
		"5x2":             func(s *Config) { s.Size.Width = 5 },
	} {
		s := settings()
		spoil(&s)
		if _, err := Table1Events(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want one that says %q", err, why)
		}
	}
}

// The columns that the paper derives from other columns agree with them.
func TestPaperFiguresAreConsistent(t *testing.T) {
	for i, want := range []string{"9538.2 67.5% / 40.0%", "10006.4 63.8% / 31.2%", "2036.2 43.8% / 33.8%"} {
		p := paperTable1()[i]
		got := fmt.Sprintf("%.1f %s / %s", p.firstScores.Mean.Value-p.secondScores.Mean.Value,
			shareReached(p.firstScores).Value.Percent(), shareReached(p.secondScores).Value.Percent())
		if got != want {
			t.Errorf("%s / %s: %s, printed as %s", p.first, p.second, got, want)
		}
	}
}

// partlyPlayed returns the first event with two of its four matches decided and a third half played,
// the second event finished, and the third not on record.
func partlyPlayed(t *testing.T) []Played {
	t.Helper()
	events := table1Events(t, settings())
	events[0].ID, events[1].ID = 11, 12
	store := memory{events[:2], map[int64][]tournament.Game{
		11: {
			mated(t, events[0], 1, 1, 2048), mated(t, events[0], 1, 2, 64),
			mated(t, events[0], 2, 1, 1024), mated(t, events[0], 2, 2, 2048),
			mated(t, events[0], 3, 1, 32),
		},
		12: {
			mated(t, events[1], 1, 1, 4096), mated(t, events[1], 1, 2, 1024),
			mated(t, events[1], 2, 1, 2048), mated(t, events[1], 2, 2, 2048),
			mated(t, events[1], 3, 1, 2048), mated(t, events[1], 3, 2, 512),
			mated(t, events[1], 4, 1, 1024), mated(t, events[1], 4, 2, 2048),
		},
	}}
	all, err := Read(t.Context(), store, table1Events(t, settings()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTable1(t *testing.T) {
	table := NewTable1(partlyPlayed(t))
	for i, want := range []struct {
		event         int64
		matches       int
		first, second float64
		reached       [2]int
		verdict       Verdict
	}{
		{11, 2, 20 + (20480+9216)/2, 20 + (320+20480)/2.0, [2]int{1, 1}, None},
		{12, 4, 20 + (45056+2*20480+9216)/4.0, 20 + (9216+2*20480+4096)/4.0, [2]int{3, 2}, None},
		{0, 0, 0, 0, [2]int{}, None},
	} {
		row := table.Rows[i]
		if row.Event != want.event || row.Matches != want.matches || row.AllMatches != 4 {
			t.Errorf("row %d: event %d, %d of %d matches, want event %d, %d of 4", i, row.Event, row.Matches, row.AllMatches, want.event, want.matches)
		}
		first, second := row.First.Ours, row.Second.Ours
		if first.Mean.Value != want.first || second.Mean.Value != want.second || first.Games != want.matches {
			t.Errorf("row %d: %+v and %+v, want the means %v and %v", i, first, second, want.first, want.second)
		}
		if got := [2]int{first.Reached, second.Reached}; got != want.reached {
			t.Errorf("row %d: %v games with a 2048, want %v", i, got, want.reached)
		}
		if row.First.Score.Verdict != want.verdict {
			t.Errorf("row %d: the mean %s: %+v", i, row.First.Score.Verdict, row.First.Score)
		}
		if d := row.Difference.Ours.Value; want.matches > 0 && d.Value != want.first-want.second {
			t.Errorf("row %d: difference %v, want %v", i, d.Value, want.first-want.second)
		}
	}
}

// Few matches under the paper's conditions are too few for a verdict. Under other conditions there is none.
func TestTable1Verdicts(t *testing.T) {
	published := settings()
	published.Playouts, published.Size = PaperPlayouts, rules.Full
	fewer := published
	fewer.Playouts--
	for _, tc := range []struct {
		config Config
		want   []Verdict
	}{{published, []Verdict{TooFew, TooFew, TooFew}}, {fewer, []Verdict{None, None, None}}} {
		played := partlyPlayed(t)
		for i, e := range table1Events(t, tc.config) {
			played[i].Event = e
		}
		var got []Verdict
		for _, row := range NewTable1(played).Rows {
			got = append(got, row.First.Score.Verdict)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%d playouts: %q, want %q", tc.config.Playouts, got, tc.want)
		}
	}
}

func TestTable1Markdown(t *testing.T) {
	var text strings.Builder
	if err := NewTable1(partlyPlayed(t)).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| MCTS / evMiniMax | ours | 2 of 4 | 14868.0 (7964.9) | 10420.0 (14255.3) | 4448.0 | 50.0% / 50.0% |",
		"|  | paper | 80 | 27806.1 (10182.2) | 18267.9 (9975.3) | 9538.2 | 67.5% / 40.0% |",
		"| MCTS2 / MCTS | ours | 0 of 4 | - (-) | - (-) | - | - / - |",
		"| MCTS2 / MCTS | mean score of MCTS2 | - [-, -] | 22190.1 [20508.1, 23872.1] | - [-, -] |  |",
		"- table1 MCTS/evMiniMax: 2 of 4 matches; gpcc2015 2x2, seed 7, MCTS=mcts:playouts=10,",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no line %q in:\n%s", line, text.String())
		}
	}
}

func TestTable1JSON(t *testing.T) {
	data, err := json.Marshal(NewTable1(partlyPlayed(t)))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows []struct {
			Matches int
			First   struct {
				Name  string
				Score struct{ Ours struct{ Value, Low *float64 } }
			}
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	if row := table.Rows[1]; row.Matches != 4 || row.First.Name != "MCTS2" || *row.First.Score.Ours.Value != 23828 || row.First.Score.Ours.Low == nil {
		t.Errorf("row 2: %s", data)
	}
	if row := table.Rows[2]; row.First.Score.Ours.Value != nil {
		t.Errorf("row 3 has a value without a game: %s", data)
	}
}

// A table can be drawn whether or not its events have begun.
func TestTable1Plot(t *testing.T) {
	for name, games := range map[string][]Played{"part": partlyPlayed(t), "nothing": nothingPlayed(t)} {
		table := NewTable1(games)
		checkPlot(t, name, table, "MCTS2", "against evMiniMax", "paper: 80 matches each", "mean score", "ours: ")
	}
	if err := NewTable1(partlyPlayed(t)).WritePlot(new(bytes.Buffer), "bmp"); err == nil {
		t.Error("an unknown format is drawn")
	}
}

func nothingPlayed(t *testing.T) []Played {
	t.Helper()
	all, err := Read(t.Context(), memory{}, table1Events(t, settings()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}
