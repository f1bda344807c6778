package experiment

import (
	"fmt"
	"testing"
)

// The columns that the paper prints and that follow from the others.
func TestPaperAgreesWithItself(t *testing.T) {
	for i, want := range []string{"9538.2 67.5% / 40.0%", "10006.4 63.8% / 31.2%", "2036.2 43.8% / 33.8%"} {
		p := paperTable1()[i]
		got := fmt.Sprintf("%.1f %s / %s", p.firstScores.Mean.Value-p.secondScores.Mean.Value,
			wilson(p.firstScores).Value.Percent(), wilson(p.secondScores).Value.Percent())
		if got != want {
			t.Errorf("%s / %s: %s, printed as %s", p.first, p.second, got, want)
		}
	}
}
