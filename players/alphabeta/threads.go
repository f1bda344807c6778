package alphabeta

import (
	"sync"
	"sync/atomic"

	"versus2048/rules"
)

// together searches with all threads (lazy SMP): each deepens on its own, and they help each other only
// by what they leave in the table. The first thread decides. Every second one of the others begins a
// depth ahead, so that they are not all at the same place.
func (s *Search) together(p rules.Position, moves []rules.Move, b Budget) rules.Move {
	var over atomic.Bool
	var others sync.WaitGroup
	counts := make([]*counter, len(s.boards))
	for i, boards := range s.boards[1:] {
		count := newCounter(over.Load)
		counts[i+1] = count
		boards.start(count)
		others.Go(func() {
			d := newDeepening(p, moves, boards, count, &s.config)
			d.wander(s.config.Depth, 1+i)
		})
	}
	count := newCounter(b.Stop)
	s.boards[0].start(count)
	s.last = newDeepening(p, moves, s.boards[0], count, &s.config)
	s.last.run(s.config.Depth, b.Enough)
	over.Store(true)
	others.Wait()
	s.others = 0
	for _, c := range counts[1:] {
		s.others += c.nodes
	}
	return s.last.moves[0].move
}

// wander deepens until the search is over, as the i-th of the other threads.
func (d *deepening) wander(slides, i int) {
	for n := 1 + i%2; n <= slides && !d.count.stop(); n++ {
		d.iterate(n)
	}
}
