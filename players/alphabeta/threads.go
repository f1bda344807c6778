package alphabeta

import (
	"sync/atomic"

	"versus2048/players/searching"
	"versus2048/rules"
)

// nodesPerGlance is the number of nodes that a thread visits before it checks again whether the search is over.
// The check costs next to nothing.
const nodesPerGlance = 32

// companion is another thread of a search. The system may not be running it when the search is over, because
// the cores have other work. The search then does not wait for it. The companion takes part in no search until
// it has seen that this one is over.
type companion struct {
	boards *boardSearch
	busy   atomic.Bool
}

// together searches with all threads. Each thread deepens on its own. They share the table, and postpone moves
// that another thread is searching. The first thread decides.
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

// accompany lets another thread deepen until the search is over, up to a depth.
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

// accompanied returns the number of positions that the other threads visited in the last search. It waits until
// they have seen that the search is over.
func (s *Search) accompanied() (n int64) {
	s.ending.Wait()
	for _, visited := range s.visited {
		n += *visited
	}
	return n
}

// underway has the searches that the threads are making now, so that each thread finds work that no other does.
// A thread postpones a move that another thread is searching until the other moves of its node have been tried.
// By then the table often has the answer. This is Kerrigan's simplified form (2017) of ABDADA (Weill 1996).
//
// A board has one place, which keeps the latest search: an overwritten search costs only time.
type underway [1 << underwayBits]atomic.Uint64

const underwayBits = 10

// dividedPlies is the smallest depth for postponing moves. Shallower searches end too soon.
const dividedPlies = 6

// key returns a number for the search of b for the given number of plies, and its place.
func (u *underway) key(b rules.Board, plies int) (key uint64, place *atomic.Uint64) {
	mixed := b ^ rules.Board(plies)*0x0123_4567_89AB_CDEF
	return uint64(mixed), &u[searching.Slot(mixed, underwayBits)]
}

// begin records that a thread begins such a search.
func (u *underway) begin(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.Store(key)
	}
}

// end records that a thread has ended such a search.
func (u *underway) end(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.CompareAndSwap(key, 0)
	}
}

// has reports whether a thread is making such a search.
func (u *underway) has(b rules.Board, plies int) bool {
	if u == nil || plies < dividedPlies {
		return false
	}
	key, place := u.key(b, plies)
	return place.Load() == key
}

// deferred are the moves of a node that another thread was searching at their turn. They are tried again after
// the other moves.
type deferred struct {
	moves uint64 // a bit for each move, as in the set of moves that are left
	again bool   // whether they are being tried again
}

// more reports whether moves are left. If only deferred moves are left, it brings them back.
func (d *deferred) more(left *uint64) bool {
	if *left == 0 && d.moves != 0 {
		*left, d.moves, d.again = d.moves, 0, true
	}
	return *left != 0
}

// defers reports whether the move of a bit, which leads to b, is deferred because a thread is searching b.
func (d *deferred) defers(bit int, u *underway, b rules.Board, plies int) bool {
	if d.again || !u.has(b, plies) {
		return false
	}
	d.moves |= 1 << bit
	return true
}
