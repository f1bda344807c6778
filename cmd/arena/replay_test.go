package main

import (
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

const shortGame = `[Game "7"]
[Attacker "ann"]
[Defender "bob"]
[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
`

func newShortViewer(t *testing.T) *viewer {
	t.Helper()
	record, err := record.Parse(shortGame)
	if err != nil {
		t.Fatal(err)
	}
	v, err := newViewer(&record)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestViewerShowsAll(t *testing.T) {
	var out strings.Builder
	if err := newShortViewer(t).all(&out); err != nil {
		t.Fatal(err)
	}
	want := `ply 11 of 11: ann places (2,2), score 8
  2  4
  4  2
mate: bob scored 8, largest tile 4

`
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("the end is shown as:\n%s", out.String()[max(0, out.Len()-300):])
	}
	if n := strings.Count(out.String(), "ply "); n != 11 {
		t.Errorf("%d plies are shown", n)
	}
}

func TestViewerShowsSearches(t *testing.T) {
	v := newShortViewer(t)
	v.search, v.at = true, 1
	v.record.Searches = make([]*record.SearchReport, len(v.record.Moves))
	v.record.Searches[0] = &record.SearchReport{
		Playouts: 1000, Nodes: 385, Expanded: []int64{1, 4, 20}, Time: 1830 * time.Microsecond,
		Variation: []rules.Move{rules.Place(0, false), rules.South},
		Moves: []record.RootMove{
			{Move: rules.Place(0, false), Value: 16, Visits: 700},
			{Move: rules.Place(4, false), Value: -1240.253},
			{Move: rules.Place(1, false)},
			{Move: rules.Place(1, true)},
			{Move: rules.Place(5, false)},
			{Move: rules.Place(5, true)},
			{Move: rules.Place(0, true)},
		},
	}
	v.record.Searches[1] = &record.SearchReport{}
	var out strings.Builder
	if err := v.all(&out); err != nil {
		t.Fatal(err)
	}
	want := `ply 1 of 11: ann places (1,1), score 0
  2  .
  .  .
  search: 1000 playouts, 385 nodes, 1.8 ms
       move     value  visits
      (1,1)        16     700
      (1,2)  -1240.25       0
      (2,1)         0       0
    (2,1,4)         0       0
      (2,2)         0       0
  and 2 more
  expanded by depth: 1 4 20
  principal variation: (1,1) S

ply 2 of 11: bob slides S, score 0
  .  .
  2  .
  search: the bot gave no numbers

ply 3 of 11: ann places (1,1), score 0
  2  .
  2  .

`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("shown:\n%s", out.String()[:min(len(want)+50, out.Len())])
	}
}

func TestViewerObeys(t *testing.T) {
	for lines, want := range map[string]int{
		"q\n": 0, "\n": 1, "\n\nb\n": 1, "b\n": 0, "5\n": 5, "99\n": 11, "-3\n": 0, "what\n": 0, "11\n\n": 11, "": 0,
	} {
		v := newShortViewer(t)
		var out strings.Builder
		if err := v.step(strings.NewReader(lines), &out); err != nil {
			t.Fatal(err)
		}
		if v.at != want {
			t.Errorf("after %q ply %d is shown, want %d", lines, v.at, want)
		}
		if lines == "what\n" && !strings.Contains(out.String(), `"what": want Enter, b, a ply's number or q`) {
			t.Errorf("the answer to nonsense is:\n%s", out.String())
		}
	}
}
