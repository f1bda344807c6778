package puct_test

import (
	"math"
	"strconv"
	"testing"

	"versus2048/players/exact"
	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/players/searching"
	"versus2048/rules"
)

// known is a model that has learned the game by heart. Its states are boards, and its codes are placements.
type known struct {
	table *exact.Table
	blind bool // whether it expects no further points
}

// state stores a board in numbers that float32 can hold.
func state(b rules.Board, gain int) []float32 {
	return []float32{float32(b & 0xFFFF), float32(b >> 16 & 0xFFFF), float32(gain)}
}

func (k known) position(state []float32, side string) rules.Position {
	b := rules.Board(state[0]) | rules.Board(state[1])<<16
	text := ""
	for y := range 2 {
		for x := range 2 {
			if x > 0 {
				text += ","
			}
			if e := b.Exponent(4*y + x); e == 0 {
				text += "0"
			} else {
				text += strconv.Itoa(1 << e)
			}
		}
		if y == 0 {
			text += "/"
		}
	}
	p, err := rules.ParsePosition(rules.Solo, text+" "+side)
	if err != nil {
		panic(err)
	}
	return p
}

func (k known) gain(p rules.Position) float64 {
	v, err := k.table.Value(p)
	if err != nil || k.blind {
		return 0
	}
	return v.Gain
}

func (known) Represent(b rules.Board) []float32 { return state(b, 0) }

func (k known) Predict(state []float32) ([]float32, float64) {
	p := k.position(state, "D")
	policy := []float32{-20, -20, -20, -20}
	for _, m := range p.AppendMoves(nil) {
		policy[m-rules.North] = 0
	}
	return policy, k.gain(p)
}

// Slide gives an illegal slide a gain of -1000. The policy, too, shows that such a slide is bad.
func (k known) Slide(s []float32, slide int) []float32 {
	b := rules.Board(s[0]) | rules.Board(s[1])<<16
	after := b.Slide(k.table.Size(), rules.North+rules.Move(slide))
	gain := after.Potential() - b.Potential()
	if after == b {
		gain = -1000
	}
	return state(after, gain)
}

func (k known) Expect(after []float32) (gain, further float64, codes []float32) {
	codes = make([]float32, 8)
	for i, share := range k.shares(after) {
		codes[i] = float32(math.Log(share))
	}
	if after[2] < 0 {
		return float64(after[2]), 0, codes
	}
	return float64(after[2]), k.gain(k.position(after, "A")), codes
}

// shares returns the probabilities of the codes. There are two codes for each cell.
func (k known) shares(after []float32) []float64 {
	b := rules.Board(after[0]) | rules.Board(after[1])<<16
	shares := make([]float64, 8)
	empty := float64(b.EmptyCells(k.table.Size()))
	for i := range shares {
		if shares[i] = 1e-9; b.Exponent(4*(i/4)+i/2%2) == 0 {
			shares[i] = []float64{0.9, 0.1}[i%2] / empty
		}
	}
	return shares
}

func (k known) Follow(after []float32, code int) []float32 {
	b := rules.Board(after[0]) | rules.Board(after[1])<<16
	if cell := 4*(code/4) + code/2%2; b.Exponent(cell) == 0 {
		b = b.With(cell, 1+code%2)
	}
	return state(b, 0)
}

// With a correct model a search chooses the best slides, or slides that cost next to nothing.
func TestModelThatIsRight(t *testing.T) {
	table := solve(t, rules.Solo, twoByTwo)
	c := puct.Defaults()
	c.Scaled = puct.Siblings
	s := puct.NewModelSearch(c, known{table, false})
	random := playout.NewGenerator(1)
	chance := playout.NewGenerator(2)
	for range 20 {
		for p := rules.NewPosition(rules.Solo, twoByTwo); !p.Over(); {
			if moves := p.AppendMoves(nil); p.SideToMove() == rules.Attacker || len(moves) == 1 {
				p = p.Next(moves[chance.Below(len(moves))])
				continue
			}
			v, err := table.Value(p)
			if err != nil {
				t.Fatal(err)
			}
			m := s.Choose(p, &random, made(100))
			checkStats(t, s.Result(), p, 100)
			after, err := table.Value(p.Next(m))
			if err != nil {
				t.Fatal(err)
			}
			gain := float64(p.Next(m).Score()-p.Score()) + after.Gain
			if gain < 0.98*v.Gain {
				t.Errorf("%v: %v is worth %.2f points, the best slide %.2f", p, m, gain, v.Gain)
			}
			p = p.Next(m)
		}
	}
}

// With a correct model an attacker chooses the placements that are worst for the defender.
func TestModelAttacks(t *testing.T) {
	table := solve(t, rules.Solo, twoByTwo)
	s := puct.NewModelSearch(puct.Defaults(), known{table, false})
	random := playout.NewGenerator(1)
	p := rules.NewPosition(rules.Solo, twoByTwo)
	for !p.Over() {
		if p.SideToMove() == rules.Defender {
			p = p.Next(p.AppendMoves(nil)[0])
			continue
		}
		m := s.Choose(p, &random, made(100))
		moves, err := table.Moves(p)
		if err != nil {
			t.Fatal(err)
		}
		least, got := math.Inf(1), math.Inf(1)
		for _, mv := range moves {
			least = min(least, mv.Value.Gain)
			if mv.Move == m {
				got = mv.Value.Gain
			}
		}
		if st := s.Result(); got != least || st.Moves[0].Move != m || len(st.Moves) != len(moves) {
			t.Errorf("%v: %v allows %v points, another placement %v; reported %+v", p, m, got, least, st)
		}
		p = p.Next(m)
	}
}

// A search that is stopped at once returns a legal move.
func TestModelStop(t *testing.T) {
	table := solve(t, rules.Solo, twoByTwo)
	s := puct.NewModelSearch(puct.Defaults(), known{table, true})
	random := playout.NewGenerator(1)
	p := rules.NewPosition(rules.Solo, twoByTwo)
	for range 4 {
		m := s.Choose(p, &random, searching.Budget{Playouts: 100, Stop: func() bool { return true }})
		if n := simulations(s.Result()); n != 0 {
			t.Errorf("%d simulations", n)
		}
		next, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
}
