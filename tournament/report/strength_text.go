package report

import (
	"fmt"
	"strings"
)

// write writes the lines that engine testers know, from the named bot's side.
func (s Strength) write(text *strings.Builder, first string) {
	fmt.Fprintf(text, "  of %s, by %s: Elo %s, nElo %s, LOS %s\n",
		first, s.basis(), s.Elo.text(2), s.Normalized.text(2), s.Superiority.Percent())
	if s.Pairs != nil {
		fmt.Fprintf(text, "  Ptnml(0-2) of %s: %v\n", first, *s.Pairs)
	}
	var needed []string
	for _, n := range s.Needed {
		if !n.Matches.Absent() {
			needed = append(needed, fmt.Sprintf("+/- %.0f: %s", n.HalfWidth, n.Matches.Text(0)))
		}
	}
	if needed != nil {
		fmt.Fprintf(text, "  matches still needed for an Elo %s\n", strings.Join(needed, ", "))
	}
}

// basis is what the figures are computed of, such as "12 pairs of matches".
func (s Strength) basis() string {
	one, many := "match", "matches"
	if s.Pairs != nil {
		one, many = "pair of matches", "pairs of matches"
	}
	if s.Trials == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", s.Trials, many)
}
