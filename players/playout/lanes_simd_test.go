//go:build goexperiment.simd && amd64

package playout

import (
	"maps"
	"slices"
	"testing"

	"versus2048/rules"
)

func requireLanes(t *testing.T) {
	t.Helper()
	if !lanesSupported() {
		t.Skip("this processor lacks AVX-512 with BITALG and GFNI")
	}
}

// eachBoard puts the boards into lanes, 32 at a time, calls change and then check for each lane.
func eachBoard(all []rules.Board, change func(l *lanes), check func(l *lanes, i int, b rules.Board)) {
	for ; len(all) >= 32; all = all[32:] {
		var l lanes
		for i, b := range all[:32] {
			l.put(i, fullGame{board: b})
		}
		change(&l)
		for i, b := range all[:32] {
			check(&l, i, b)
		}
	}
}

// TestSlideWest slides every row without two 32768s, as all four rows of a board.
func TestSlideWest(t *testing.T) {
	requireLanes(t)
	var all []rules.Board
	for row := range rules.Board(1 << 16) {
		if countLargest(row) < 2 {
			all = append(all, row*0x0001_0001_0001_0001)
		}
	}
	slide := func(l *lanes) {
		p, moved := l.load()
		l.store(p.slideWest(), moved)
	}
	eachBoard(all, slide, func(l *lanes, i int, b rules.Board) {
		if got, want := l.board(i), b.Slide(rules.Full, rules.West); got != want {
			t.Fatalf("lane %d: %016x becomes %016x, want %016x", i, b, got, want)
		}
	})
}

// TestEnded compares ended with Board.Stuck, on boards of few and of many different tiles.
func TestEnded(t *testing.T) {
	requireLanes(t)
	g := NewGenerator(10)
	all := make([]rules.Board, 100_000)
	for n := range all {
		for i := range 16 {
			if n%3 > 0 || g.Below(16) > 0 {
				all[n] = all[n].With(i, 14-g.Below(1+n%14))
			}
		}
	}
	var ended uint32
	found := map[bool]int{}
	look := func(l *lanes) {
		p, _ := l.load()
		ended = p.ended()
	}
	eachBoard(all, look, func(_ *lanes, i int, b rules.Board) {
		got, want := ended>>i&1 == 1, b.Stuck(rules.Full)
		if got != want {
			t.Fatalf("lane %d: %016x has ended: %v, want %v", i, b, got, want)
		}
		found[got]++
	})
	if found[false] < 1000 || found[true] < 1000 {
		t.Errorf("boards by whether they have ended: %v, want many of both", found)
	}
}

// TestLaneTurnUniform checks the distribution of turns drawn in lanes.
func TestLaneTurnUniform(t *testing.T) {
	requireLanes(t)
	g := NewGenerator(11)
	checkTurns(t, func(p rules.Position) []rules.Board {
		var l lanes
		for i := range 32 {
			l.put(i, fullGame{board: p.Board(), moved: toMove(p)})
		}
		last := map[int]rules.Board{}
		for len(last) < 32 {
			p, moved := l.load()
			p, moved = playTurn(p, moved, &g)
			l.store(p, moved)
			for i := range 32 {
				anything := (l.moved[i/8*2] | l.moved[i/8*2+1]) >> (i % 8) & everyByte
				if _, done := last[i]; !done && (anything != 0 || p.ended()>>i&1 == 1) {
					last[i] = l.board(i)
				}
			}
		}
		return slices.Collect(maps.Values(last))
	})
}
