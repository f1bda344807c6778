package rules_test

import (
	"math/rand/v2"
	"testing"

	"versus2048/rules"
)

// benchPositions returns positions of random games with side to move. Their number
// is a power of two, so that a mask picks the next one.
func benchPositions(b *testing.B, side rules.Side) []rules.Position {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var positions []rules.Position
	for {
		for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over(); p = p.Next(randomMove(rng, p)) {
			if p.SideToMove() == side && p.Ply() > 20 {
				positions = append(positions, p)
			}
			if len(positions) == 1024 {
				return positions
			}
		}
	}
}

func BenchmarkSlide(b *testing.B) {
	positions := benchPositions(b, rules.Defender)
	for _, slide := range []rules.Move{rules.North, rules.South, rules.West, rules.East} {
		b.Run(slide.String(), func(b *testing.B) {
			b.ReportAllocs()
			var sum rules.Board
			for i := 0; b.Loop(); i++ {
				sum += positions[i&1023].Board().Slide(rules.Full, slide)
			}
			_ = sum
		})
	}
}

func BenchmarkAppendMoves(b *testing.B) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		positions := benchPositions(b, side)
		b.Run(side.String(), func(b *testing.B) {
			b.ReportAllocs()
			moves := make([]rules.Move, 0, 32)
			for i := 0; b.Loop(); i++ {
				moves = positions[i&1023].AppendMoves(moves[:0])
			}
		})
	}
}

// BenchmarkMove compares the unchecked Next with the checked Play.
func BenchmarkMove(b *testing.B) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		positions := benchPositions(b, side)
		moves := make([]rules.Move, len(positions))
		for i, p := range positions {
			moves[i] = p.AppendMoves(nil)[0]
		}
		b.Run("Next/"+side.String(), func(b *testing.B) {
			b.ReportAllocs()
			var p rules.Position
			for i := 0; b.Loop(); i++ {
				p = positions[i&1023].Next(moves[i&1023])
			}
			_ = p
		})
		b.Run("Play/"+side.String(), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := positions[i&1023].Play(moves[i&1023]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	positions := benchPositions(b, rules.Attacker)
	b.Run("Board", func(b *testing.B) {
		b.ReportAllocs()
		var sum rules.Board
		for i := 0; b.Loop(); i++ {
			sum += positions[i&1023].Board().Canonical(rules.Full)
		}
		_ = sum
	})
	b.Run("Position", func(b *testing.B) {
		b.ReportAllocs()
		var p rules.Position
		for i := 0; b.Loop(); i++ {
			p = positions[i&1023].Canonical()
		}
		_ = p
	})
}

func BenchmarkStuck(b *testing.B) {
	positions := benchPositions(b, rules.Defender)
	b.ReportAllocs()
	stuck := 0
	for i := 0; b.Loop(); i++ {
		if positions[i&1023].Board().Stuck(rules.Full) {
			stuck++
		}
	}
	_ = stuck
}

func BenchmarkPotential(b *testing.B) {
	positions := benchPositions(b, rules.Defender)
	b.ReportAllocs()
	sum := 0
	for i := 0; b.Loop(); i++ {
		sum += positions[i&1023].Board().Potential()
	}
	_ = sum
}

func BenchmarkPerft(b *testing.B) {
	b.ReportAllocs()
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	for b.Loop() {
		rules.Perft(start, 5)
	}
}
