package picture

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// drawInterval returns the picture of one interval on axes from 0 to 10.
func drawInterval(t *testing.T, horizontal bool, low, high float64) string {
	t.Helper()
	p := New("", "", "")
	i := Intervals{Horizontal: horizontal}
	i.Add(5, 5, low, high)
	if _, err := i.Draw(p, Blue, draw.CircleGlyph{}); err != nil {
		t.Fatal(err)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 10, 0, 10
	var out bytes.Buffer
	if err := Write(&out, SVG, 200, 200, [][]*plot.Plot{{p}}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// An end without a limit, or beyond the axis, is an arrow at the axis's end; another one is a stroke.
func TestOpenIntervals(t *testing.T) {
	for _, horizontal := range []bool{false, true} {
		closed := drawInterval(t, horizontal, 0, 10)
		open := drawInterval(t, horizontal, math.Inf(-1), 10)
		if closed == open {
			t.Errorf("horizontal %v: an open interval looks like a closed one", horizontal)
		}
		if beyond := drawInterval(t, horizontal, -3, 10); beyond != open {
			t.Errorf("horizontal %v: an interval that ends beyond the axis does not look open", horizontal)
		}
		both := drawInterval(t, horizontal, math.Inf(-1), math.Inf(1))
		if both == open || strings.Contains(both, "NaN") || strings.Contains(both, "Inf") {
			t.Errorf("horizontal %v: an interval without ends:\n%s", horizontal, both)
		}
	}
}

// The key has room for its longest entry.
func TestKeyWithLongNames(t *testing.T) {
	short, long := []Entry{{Name: "ann"}}, []Entry{{Name: "a rather long name of a bot, which takes half of the page"}}
	if widest(short) != keyWidth || widest(long) <= keyWidth {
		t.Errorf("room for a short name %v, for a long one %v", widest(short), widest(long))
	}
}

// Rows may have different numbers of plots: all of them are drawn, each once.
func TestRowsOfDifferentLengths(t *testing.T) {
	title := func(name string) *plot.Plot { return New(name, "", "") }
	for _, rows := range [][][]*plot.Plot{
		{{title("ann"), title("bob")}, {title("eve")}},
		{{title("ann")}, {title("bob"), title("eve")}},
	} {
		var out bytes.Buffer
		if err := Write(&out, SVG, 400, 400, rows); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ann", "bob", "eve"} {
			if strings.Count(out.String(), ">"+name+"<") != 1 {
				t.Errorf("%d rows of %d and %d plots: no plot %q", len(rows), len(rows[0]), len(rows[1]), name)
			}
		}
	}
}
