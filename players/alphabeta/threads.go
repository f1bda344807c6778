package alphabeta

import (
	"sync"
	"sync/atomic"

	"versus2048/players/nodes"
	"versus2048/players/transposition"
	"versus2048/rules"
)

// nodesPerGlance is how many nodes a thread visits until it asks again whether the others have ended,
// which costs next to nothing. They wait for it.
const nodesPerGlance = 32

// together searches with all threads. Each deepens on its own; they share the table, and put off what
// another one is searching. The first thread decides.
func (s *Search) together(p rules.Position, moves []rules.Move, b Budget) rules.Move {
	var over atomic.Bool
	var others sync.WaitGroup
	counts := make([]*nodes.Counter, len(s.boards))
	for i, boards := range s.boards[1:] {
		count := nodes.NewEvery(nodesPerGlance, over.Load)
		counts[i+1] = count
		boards.start(count)
		others.Go(func() {
			d := newDeepening(p, moves, boards, count, &s.config)
			d.underway = boards.underway
			for n := 1; n <= s.config.Depth && !count.Stop(); n++ {
				d.iterate(n)
			}
		})
	}
	count := nodes.New(b.Stop)
	s.boards[0].start(count)
	s.last = newDeepening(p, moves, s.boards[0], count, &s.config)
	s.last.underway = s.boards[0].underway
	s.last.run(s.config.Depth, b.Enough)
	over.Store(true)
	others.Wait()
	s.others = 0
	for _, c := range counts[1:] {
		s.others += c.Nodes
	}
	return s.last.moves[0].move
}

// underway is what the threads of a search are searching, so that each finds work that no other does: a
// move that another thread is searching is put off until the other moves of its node have been tried.
// By then the table often answers it. This is Kerrigan's simplified form (2017) of ABDADA (Weill 1996).
//
// A board has one place, where the latest stays: only time depends on it.
type underway [1 << underwayBits]atomic.Uint64

const underwayBits = 10

// dividedPlies is the depth from which on threads put moves off. Below it a search ends too soon.
const dividedPlies = 6

// key returns what stands for the search of b for the given number of plies, and its place.
func (u *underway) key(b rules.Board, plies int) (key uint64, place *atomic.Uint64) {
	mixed := b ^ rules.Board(plies)*0x0123_4567_89AB_CDEF
	return uint64(mixed), &u[transposition.Slot(mixed, underwayBits)]
}

// begin notes that a thread begins such a search.
func (u *underway) begin(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.Store(key)
	}
}

// end notes that a thread has ended it.
func (u *underway) end(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.CompareAndSwap(key, 0)
	}
}

// has reports whether a thread is in the midst of such a search.
func (u *underway) has(b rules.Board, plies int) bool {
	if u == nil || plies < dividedPlies {
		return false
	}
	key, place := u.key(b, plies)
	return place.Load() == key
}

// deferred are the moves of a node that another thread was searching when it was their turn. They come
// again after the others.
type deferred struct {
	moves uint64 // a bit each, as in those that are left
	again bool   // whether they have come again
}

// more reports whether moves are left, and brings back the deferred ones if there are no others.
func (d *deferred) more(left *uint64) bool {
	if *left == 0 && d.moves != 0 {
		*left, d.moves, d.again = d.moves, 0, true
	}
	return *left != 0
}

// defers reports whether the move of a bit is deferred: a thread is in the midst of searching b, to which
// it leads.
func (d *deferred) defers(bit int, u *underway, b rules.Board, plies int) bool {
	if d.again || !u.has(b, plies) {
		return false
	}
	d.moves |= 1 << bit
	return true
}
