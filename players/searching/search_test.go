package searching_test

import (
	"math"
	"slices"
	"testing"

	"versus2048/players/searching"
)

// TestDeepen checks which depths are begun within a budget.
func TestDeepen(t *testing.T) {
	asked := 0
	for name, c := range map[string]struct {
		budget searching.Budget
		first  int
		want   []int
	}{
		"without limits":          {searching.Budget{}, 1, []int{1, 2, 3, 4, 5}},
		"a depth":                 {searching.Budget{Depth: 3}, 1, []int{1, 2, 3}},
		"a depth beyond the most": {searching.Budget{Depth: 9}, 2, []int{2, 3, 4, 5}},
		"a depth below the first": {searching.Budget{Depth: 1}, 2, nil},
		"stopped at once":         {searching.Budget{Stop: func() bool { return true }}, 1, []int{1}},
		"stopped between":         {searching.Budget{Stop: func() bool { asked++; return asked == 2 }}, 1, []int{1, 2}},
		"enough":                  {searching.Budget{Enough: func(p searching.Progress) bool { return p.Depth == 4 }}, 1, []int{1, 2, 3, 4}},
	} {
		var got []int
		c.budget.Deepen(c.first, 5, searching.NewCounter(c.budget.Stop), func(slides int) searching.Progress {
			got = append(got, slides)
			return searching.Progress{Depth: slides}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: looked %v slides ahead, want %v", name, got, c.want)
		}
	}
}

// A depth that the counter ends is the last one, and nobody is asked whether it is enough.
func TestDeepenEnded(t *testing.T) {
	b := searching.Budget{Enough: func(searching.Progress) bool { t.Error("asked"); return false }}
	count, depths := searching.NewCounterEvery(1, func() bool { return true }), 0
	b.Deepen(1, 5, count, func(int) (p searching.Progress) {
		depths++
		count.Visit()
		return p
	})
	if depths != 1 {
		t.Errorf("began %d depths", depths)
	}
}

func TestLimits(t *testing.T) {
	none, some := searching.Budget{}, searching.Budget{Depth: 4, Playouts: 7}
	if none.Slides(6) != 6 || some.Slides(6) != 4 || some.Slides(3) != 3 {
		t.Error("slides")
	}
	if none.MostPlayouts() != math.MaxInt32 || some.MostPlayouts() != 7 || none.Stopped() {
		t.Error("playouts")
	}
}
