package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"versus2048/tournament"
)

// played is the first event with two of its four matches decided and a third
// half played, the second event finished, the third not on record.
func played(t *testing.T) []Played {
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
	table := NewTable1(played(t))
	for i, want := range []struct {
		event         int64
		matches       int
		first, second float64
		reached       [2]int
		verdict       Verdict
	}{
		{11, 2, 20 + (20480+9216)/2, 20 + (320+20480)/2.0, [2]int{1, 1}, Agrees},
		{12, 4, 20 + (45056+2*20480+9216)/4.0, 20 + (9216+2*20480+4096)/4.0, [2]int{3, 2}, Agrees},
		{0, 0, 0, 0, [2]int{}, Unknown},
	} {
		row := table.Rows[i]
		if row.Event != want.event || row.Matches != want.matches || row.Of != 4 {
			t.Errorf("row %d: event %d, %d of %d matches, want event %d, %d of 4", i, row.Event, row.Matches, row.Of, want.event, want.matches)
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

// A gap counts from the side of ours, and one that is far from 0 differs.
func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		ours    Sample
		verdict Verdict
		gap     float64
	}{
		{sample(80, 27806.1, 10182.2), Agrees, 0},
		{sample(80, 24900, 10182.2), Agrees, -2906.1},
		{sample(80, 24200, 10182.2), Differs, -3606.1},
		{sample(80, 31500, 10182.2), Differs, 3693.9},
	} {
		c := compareMeans(tc.ours, published(27806.1, 10182.2, 54).Sample)
		if c.Verdict != tc.verdict || c.Gap.Value.Value < tc.gap-0.01 || c.Gap.Value.Value > tc.gap+0.01 {
			t.Errorf("%v: %s with the gap %+v, want %s with %v", tc.ours.Mean.Value, c.Verdict, c.Gap, tc.verdict, tc.gap)
		}
	}
	for reached, want := range map[int]Verdict{54: Agrees, 44: Agrees, 40: Differs, 70: Differs} {
		if c := compareShares(Scores{Sample{Games: 80}, reached}, published(0, 0, 54)); c.Verdict != want {
			t.Errorf("%d of 80 and 54 of 80: %s, want %s", reached, c.Verdict, want)
		}
	}
}

func TestTable1Markdown(t *testing.T) {
	var text strings.Builder
	if err := NewTable1(played(t)).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| MCTS / evMiniMax | ours | 2 of 4 | 14868.0 (7964.9) | 10420.0 (14255.3) | 4448.0 | 50.0% / 50.0% |",
		"|  | paper | 80 | 27806.1 (10182.2) | 18267.9 (9975.3) | 9538.2 | 67.5% / 40.0% |",
		"| MCTS2 / MCTS | ours | 0 of 4 | - (-) | - (-) | - | - / - |",
		"| MCTS2 / MCTS | mean score of MCTS2 | - [-, -] | 22190.1 [20508.1, 23872.1] | - [-, -] | unknown |",
		"- table1 MCTS/evMiniMax: 2 of 4 matches; gpcc2015 2x2, seed 7, MCTS=mcts:playouts=10,",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no line %q in:\n%s", line, text.String())
		}
	}
}

func TestTable1JSON(t *testing.T) {
	data, err := json.Marshal(NewTable1(played(t)))
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

// A table can be drawn however little of it is played.
func TestTable1Plot(t *testing.T) {
	for name, games := range map[string][]Played{"part": played(t), "nothing": nothingPlayed(t)} {
		table := NewTable1(games)
		checkPlot(t, name, table, "MCTS2", "against evMiniMax", "paper: 80 matches each", "mean score", "ours: ")
	}
	if err := NewTable1(played(t)).WritePlot(new(bytes.Buffer), "bmp"); err == nil {
		t.Error("a format that is none is drawn")
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
