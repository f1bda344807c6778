package opening

import (
	"testing"

	"versus2048/rules"
)

// There are not many openings of a few plies: a slide pushes all tiles to one
// side. These are all that can be reached, and what is drawn of them.
func TestAllOpenings(t *testing.T) {
	for plies, want := range map[int]int{1: 1, 2: 1, 3: 10, 5: 53, 6: 10, 7: 120, 8: 21} {
		level := map[rules.Position]bool{rules.NewPosition(rules.GPCC2015, rules.Full): true}
		for range plies {
			next := map[rules.Position]bool{}
			for p := range level {
				for _, m := range p.AppendMoves(nil) {
					next[p.Next(m).Canonical()] = true
				}
			}
			level = next
		}
		for p := range level {
			if symmetric(p) {
				delete(level, p)
			}
		}
		drawn := Draw(Variant{Size: rules.Full}, plies, 1000, 1)
		for _, p := range drawn {
			if !level[p] {
				t.Errorf("%v is no opening of %d plies", p, plies)
			}
		}
		if len(level) != want || len(drawn) != want {
			t.Errorf("%d openings of %d plies, %d drawn, want %d", len(level), plies, len(drawn), want)
		}
	}
}
