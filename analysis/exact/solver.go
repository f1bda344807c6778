package exact

import (
	"context"
	"runtime"

	"versus2048/rules"
)

// solver solves layers in the order of falling sums.
type solver struct {
	game
	ctx   context.Context
	tick  worth      // of a turn
	after [2]*worths // the attacker's boards whose sum is larger by 2 and by 4
}

// portion is how many boards a worker takes at a time.
const portion = 512

// solve finds the worths of the next lower sum.
func (s *solver) solve(w *worths) {
	n := len(w.boards)
	spread(s.ctx, runtime.GOMAXPROCS(0), (n+portion-1)/portion, func(_, p int) {
		for i := p * portion; i < min(n, (p+1)*portion); i++ {
			w.set(i, s.placement(w.boards[i]))
		}
	})
	s.after[0], s.after[1] = w, s.after[0]
}

// placement is the worth of a board with the attacker, or chance, to move.
func (s *solver) placement(b rules.Board) worth {
	if s.rules.Chance() {
		return s.expected(b)
	}
	least := worth(1 << 30)
	for empty := b.Empty(s.size); empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		least = min(least, s.slide(b|two, s.after[0]))
		if s.rules.Fours() {
			least = min(least, s.slide(b|two<<1, s.after[1]))
		}
	}
	return least
}

// expected is the mean over the empty cells, a 2 drawn with 90 % and a 4 with
// 10 %.
func (s *solver) expected(b rules.Board) worth {
	sum, cells := worth(0), 0
	for empty := b.Empty(s.size); empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		sum += 0.9*s.slide(b|two, s.after[0]) + 0.1*s.slide(b|two<<1, s.after[1])
		cells++
	}
	return sum / worth(cells)
}

// slide is the worth of a board with the defender to move, 0 if it is mated.
func (s *solver) slide(b rules.Board, after *worths) worth {
	most, before := worth(0), b.Potential()
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(s.size, m); slid != b {
			gain := worth(slid.Potential() - before)
			most = max(most, after.of(slid.Canonical(s.size))+gain+s.tick)
		}
	}
	return most
}
