package report

import (
	"fmt"
	"strings"

	"versus2048/tournament"
)

// Report is the comparison in the lines in which engine testers read one (as
// fastchess prints them), from First's side; the test is that of an sprt, or nil.
func (h HeadToHead) Report(test *tournament.TestState) string {
	var text strings.Builder
	s, m := h.Strength, h.Matches
	fmt.Fprintf(&text, "Results of %s vs %s (%s):\n", printable(h.First.Name), printable(h.Second.Name), s.basis())
	fmt.Fprintf(&text, "Elo: %s, nElo: %s\n", s.Elo.text(2), s.Normalized.text(2))
	fmt.Fprintf(&text, "LOS: %s, DrawRatio: %s\n", spaced(s.Superiority), spaced(h.drawRatio()))
	points := ratio(m.Points(), float64(m.Played()))
	fmt.Fprintf(&text, "Matches: %d, Wins: %d, Losses: %d, Draws: %d, Points: %.1f (%s)\n",
		m.Played(), m.Won, m.Lost, m.Drawn, m.Points(), spaced(points))
	if s.Pairs != nil {
		fmt.Fprintf(&text, "Ptnml(0-2): %s\n", strings.ReplaceAll(fmt.Sprint(*s.Pairs), " ", ", "))
	}
	if test != nil {
		fmt.Fprintf(&text, "LLR: %.2f (%.1f%%) (%.2f, %.2f) [%.2f, %.2f]\n",
			test.LLR, 100*portion(test), test.Lower, test.Upper, test.Test.Elo0, test.Test.Elo1)
	}
	return text.String()
}

// drawRatio is the share of matches that were drawn, or of pairs that gave each
// bot a point.
func (h HeadToHead) drawRatio() Figure {
	if p := h.Strength.Pairs; p != nil {
		return ratio(float64(p[2]), float64(h.Strength.Trials))
	}
	return ratio(float64(h.Matches.Drawn), float64(h.Matches.Played()))
}

func ratio(part, whole float64) Figure {
	if whole == 0 {
		return Figure{Needs: "needs 1 match"}
	}
	return Figure{Value: part / whole}
}

// spaced is a share such as "63.75 %".
func spaced(f Figure) string {
	if f.Absent() {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*f.Value)
}

// portion is how far the test has come to the bound that it is nearing, negative
// towards H0.
func portion(t *tournament.TestState) float64 {
	if t.LLR < 0 {
		return -t.LLR / t.Lower
	}
	return t.LLR / t.Upper
}
