package main

import (
	"strings"
	"testing"

	"versus2048/rules"
)

const shortGame = `[Game "7"]
[Attacker "ann"]
[Defender "bob"]
[Size "2x2"]

1. (1,1) S 2. (1,1) N 3. (2,1) S 4. (1,1) N 5. (2,2) N 6. (2,2)
`

func newShortViewer(t *testing.T) *viewer {
	t.Helper()
	record, err := rules.ParseRecord(shortGame)
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
