package learning

import "testing"

// A curve that is full loses every second point, and goes on at that distance.
func TestCurveThins(t *testing.T) {
	p := progress{Stride: 1}
	for range 5 * mostPoints {
		p.Games += Round
		p.Part.Games += Round
		p.endRound()
	}
	if len(p.Curve) >= mostPoints || len(p.Curve) < mostPoints/2 {
		t.Fatalf("%d points", len(p.Curve))
	}
	for i, at := range p.Curve {
		if want := uint64(i+1) * Round * p.Stride; at.Games != want {
			t.Fatalf("point %d is after %d games, want %d", i+1, at.Games, want)
		}
	}
}
