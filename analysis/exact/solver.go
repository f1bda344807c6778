package exact

import (
	"context"

	"versus2048/rules"
)

// solver solves layers in the order of falling sums.
type solver struct {
	game
	ctx   context.Context
	after [2]worthMap // the attacker's boards whose sum is larger by 2 and by 4
}

// worthMap maps boards to worths.
type worthMap struct {
	boardSet
	worths []worth
}

// solve are the worths of the attacker's boards of the next lower sum.
func (s *solver) solve(boards []rules.Board) []worth {
	worths := make([]worth, len(boards))
	spread(s.ctx, len(boards), func(from, to int) {
		for i := from; i < to; i++ {
			worths[i] = s.placement(boards[i])
		}
	})
	s.after[1] = s.after[0]
	s.after[0] = s.mapOf(boards, worths)
	return worths
}

// mapOf makes a map of what was solved.
func (s *solver) mapOf(boards []rules.Board, worths []worth) worthMap {
	for n := len(boards); ; n *= 2 {
		m := worthMap{boardSet: newBoardSet(n)}
		m.worths = make([]worth, len(m.slots))
		if m.fill(boards, worths) {
			return m
		}
	}
}

func (m *worthMap) fill(boards []rules.Board, worths []worth) bool {
	for i, b := range boards {
		slot := m.slot(b)
		if slot < 0 {
			return false
		}
		m.worths[slot] = worths[i]
	}
	return true
}

// placement is the worth of a board with the attacker, or chance, to move.
func (s *solver) placement(b rules.Board) worth {
	empty := b.Empty(s.size)
	if s.rules.Chance() {
		return s.expected(b, empty)
	}
	least := worth(1 << 30)
	for ; empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		least = min(least, s.slide(b|two, &s.after[0]))
		if s.rules.Fours() {
			least = min(least, s.slide(b|two<<1, &s.after[1]))
		}
	}
	return least
}

// expected is the mean over the empty cells, a 2 drawn with 90 % and a 4 with
// 10 %.
func (s *solver) expected(b rules.Board, empty uint64) worth {
	var sum worth
	cells := 0
	for ; empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		sum += 0.9*s.slide(b|two, &s.after[0]) + 0.1*s.slide(b|two<<1, &s.after[1])
		cells++
	}
	return sum / worth(cells)
}

// slide is the worth of a board with the defender to move, 0 if it is mated.
func (s *solver) slide(b rules.Board, after *worthMap) worth {
	most, before := worth(0), b.Potential()
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(s.size, m); slid != b {
			w := after.worths[after.find(slid.Canonical(s.size))]
			most = max(most, w+worth(slid.Potential()-before)+s.tick())
		}
	}
	return most
}
