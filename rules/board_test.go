package rules_test

import (
	"math/rand/v2"
	"testing"

	"versus2048/rules"
)

func TestSlide(t *testing.T) {
	for _, test := range []struct {
		name, before, slide, after string
		gain                       int
	}{
		{"moves as far as it goes", "0,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0", "W", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 0},
		{"merges", "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "E", "0,0,0,4/0,0,0,0/0,0,0,0/0,0,0,0", 4},
		{"merges over a gap", "8,0,0,8/0,0,0,0/0,0,0,0/0,0,0,0", "W", "16,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 16},
		{"two pairs", "2,2,2,2/0,0,0,0/0,0,0,0/0,0,0,0", "W", "4,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 8},
		{"three: the pair at the wall", "2,2,2,0/0,0,0,0/0,0,0,0/0,0,0,0", "W", "4,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 4},
		{"three: the other wall", "2,2,2,0/0,0,0,0/0,0,0,0/0,0,0,0", "E", "0,0,2,4/0,0,0,0/0,0,0,0/0,0,0,0", 4},
		{"merges once", "4,2,2,0/0,0,0,0/0,0,0,0/0,0,0,0", "W", "4,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0", 4},
		{"merged tiles rest", "2,2,4,0/0,0,0,0/0,0,0,0/0,0,0,0", "E", "0,0,4,4/0,0,0,0/0,0,0,0/0,0,0,0", 4},
		{"columns up", "2,0,0,0/2,0,0,0/4,0,0,0/4,0,0,0", "N", "4,0,0,0/8,0,0,0/0,0,0,0/0,0,0,0", 12},
		{"columns down", "2,0,0,4/2,0,0,0/4,0,0,0/4,0,0,4", "S", "0,0,0,0/0,0,0,0/4,0,0,0/8,0,0,8", 20},
		{"2x2", "2,0/2,0", "S", "0,0/4,0", 4},
		{"3x2 to the far wall", "2,2,0/0,4,0", "E", "0,0,4/0,0,4", 4},
		{"2x3 to the far wall", "2,0/2,0/0,8", "S", "0,0/0,0/4,8", 4},
		{"two 32768s", "32768,32768/0,0", "W", "65536,0/0,0", 65536},
		{"65536s stay", "2,65536/0,65536", "S", "0,65536/2,65536", 0},
		{"65536 beside 32768", "65536,32768/0,2", "E", "65536,32768/0,2", 0},
		{"65536 moves", "0,65536,0/2,0,65536", "W", "65536,0,0/2,65536,0", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := parse(t, rules.GPCC2015, test.before+" D")
			slide, err := rules.ParseMove(test.slide)
			if err != nil {
				t.Fatal(err)
			}
			after := before.Next(slide)
			if want := parse(t, rules.GPCC2015, test.after+" A"); after.Board() != want.Board() || after.String()[:len(test.after)] != test.after {
				t.Errorf("%v is %v, want %s", slide, after, test.after)
			}
			if gain := after.Score() - before.Score(); gain != test.gain {
				t.Errorf("gain %d, want %d", gain, test.gain)
			}
		})
	}
}

// parse reads a position that the test knows to be valid.
func parse(t testing.TB, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestStuck(t *testing.T) {
	for text, want := range map[string]bool{
		"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0": true,
		"0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0": false,
		"4,2,4,2/2,4,2,4/4,2,8,2/2,4,2,4": true, // the mate of the shortest game
		"4,2,4,2/2,4,2,4/4,2,8,2/2,4,2,2": false,
		"4,2,4,2/2,4,2,4/4,2,8,4/2,4,2,4": false,
		"2,4/4,2":                         true,
		"2,4/4,4":                         false,
		"2,4,2/4,2,4":                     true,
		"2,4/4,2/2,2":                     false,
		"2,4/4,2/2,4/4,2":                 true,
		"2,4,2,4/4,2,4,2":                 true,
		"2,4,2,4/4,2,4,4":                 false,
		"2,4,2,4/4,2,4,0":                 false,
		"65536,65536/65536,65536":         true,
		"32768,65536/65536,32768":         true,
		"32768,65536/32768,65536":         false,
		"32768,2/4,32768":                 true,
		"32768,32768/4,2":                 false,
		"65536,0/0,0":                     false,
	} {
		p := parse(t, rules.GPCC2015, text+" D")
		if p.Over() != want {
			t.Errorf("%v: over %v, want %v", p, p.Over(), want)
		}
		if moves := p.AppendMoves(nil); (len(moves) == 0) != want {
			t.Errorf("%v: moves %v, want none: %v", p, moves, want)
		}
		if p.LargestTile() < 32768 && p.Board().Stuck(p.Size()) != want {
			t.Errorf("%v: stuck %v, want %v", p, !want, want)
		}
	}
}

func randomMove(rng *rand.Rand, p rules.Position) rules.Move {
	legal := p.AppendMoves(nil)
	return legal[rng.IntN(len(legal))]
}
