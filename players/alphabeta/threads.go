package alphabeta

import (
	"sync/atomic"

	"versus2048/players/searching"
	"versus2048/rules"
)

// nodesPerGlance is how many nodes a thread visits until it asks again whether the search is over, which
// costs next to nothing.
const nodesPerGlance = 32

// companion is another thread of a search. The system may not be running it when the search is over,
// because the cores have other work. Nobody waits for it then: it takes no part in searches until it has
// seen that this one is over.
type companion struct {
	boards *boardSearch
	busy   atomic.Bool
}

// together searches with all threads. Each deepens on its own; they share the table, and put off what
// another one is searching. The first thread decides.
func (s *Search) together(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move {
	over := new(atomic.Bool)
	s.visited = s.visited[:0]
	for _, c := range s.companions {
		if !c.busy.Load() {
			s.accompany(c, p, moves, b.Slides(MaxDepth), over)
		}
	}
	count := searching.NewCounter(b.Stop)
	s.boards.start(count)
	s.last = newDeepening(p, moves, s.boards, count, &s.config)
	s.last.underway = s.boards.underway
	b.Deepen(1, MaxDepth, count, s.last.iterate)
	over.Store(true)
	return s.last.moves[0].move
}

// accompany lets another thread deepen, to a depth at most, until the search is over.
func (s *Search) accompany(c *companion, p rules.Position, moves []rules.Move, depth int, over *atomic.Bool) {
	count, visited := searching.NewCounterEvery(nodesPerGlance, over.Load), new(int64)
	c.boards.start(count)
	d := newDeepening(p, moves, c.boards, count, &s.config)
	d.underway = c.boards.underway
	s.visited = append(s.visited, visited)
	c.busy.Store(true)
	s.ending.Go(func() {
		for n := 1; n <= depth && !count.Stop(); n++ {
			d.iterate(n)
		}
		*visited = count.Nodes
		c.busy.Store(false)
	})
}

// accompanied returns how many positions the other threads visited in the last search. It waits until
// they have seen that it is over.
func (s *Search) accompanied() (n int64) {
	s.ending.Wait()
	for _, visited := range s.visited {
		n += *visited
	}
	return n
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
	return uint64(mixed), &u[searching.Slot(mixed, underwayBits)]
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
