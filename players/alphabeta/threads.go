package alphabeta

import (
	"sync/atomic"

	"versus2048/players/searching"
	"versus2048/rules"
)

// nodesPerGlance is the number of nodes that a companion visits before it checks again whether the search is over. The
// check costs next to nothing.
const nodesPerGlance = 32

// companion is another thread of a search. At its end a search does not wait for its companions: if the cores have
// other work, the system may not be running them. Until a companion has noticed that the search is over, it takes part
// in no other search.
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

// accompany starts a thread for c, which deepens until the search is over, at most to the given depth.
func (s *Search) accompany(c *companion, p rules.Position, moves []rules.Move, depth int, over *atomic.Bool) {
	count, visited := searching.NewCounterEvery(nodesPerGlance, over.Load), new(int64)
	c.boards.start(count)
	d := newDeepening(p, moves, c.boards, count, &s.config)
	d.underway = c.boards.underway
	s.visited = append(s.visited, visited)
	c.busy.Store(true)
	s.running.Go(func() {
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
	s.running.Wait()
	for _, visited := range s.visited {
		n += *visited
	}
	return n
}

// underway has the searches that the threads are making now, so that each thread finds work that no other thread does.
// If another thread is searching a move, a thread defers that move until it has tried the other moves of the node. By
// then the table often has the answer. This is Kerrigan's simplified form (2017) of ABDADA (Weill 1996).
//
// A place keeps the latest of the searches that share it: an overwritten search costs only time.
type underway [1 << underwayBits]atomic.Uint64

const underwayBits = 10

// dividedPlies is the smallest depth, in plies, of a search that is deferred. Shallower searches end too soon.
const dividedPlies = 6

// key returns a number that stands for the search of b over the given number of plies, and the place of the number.
func (u *underway) key(b rules.Board, plies int) (key uint64, place *atomic.Uint64) {
	mixed := b ^ rules.Board(plies)*0x0123_4567_89AB_CDEF
	return uint64(mixed), &u[searching.Slot(mixed, underwayBits)]
}

// begin records that a thread begins the search of b over the given number of plies.
func (u *underway) begin(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.Store(key)
	}
}

// end records that a thread has ended the search of b over the given number of plies.
func (u *underway) end(b rules.Board, plies int) {
	if u != nil && plies >= dividedPlies {
		key, place := u.key(b, plies)
		place.CompareAndSwap(key, 0)
	}
}

// has reports whether a thread is searching b over the given number of plies. It returns false for a shallow search.
func (u *underway) has(b rules.Board, plies int) bool {
	if u == nil || plies < dividedPlies {
		return false
	}
	key, place := u.key(b, plies)
	return place.Load() == key
}

// deferred are the moves of a node that are tried after all others, because another thread was searching them
// when it was their turn.
type deferred struct {
	moves uint64 // a bit for each move, as in the node's set of untried moves
	again bool   // whether it is their turn again
}

// more reports whether there are untried moves. If only deferred moves are left, it makes them untried again.
func (d *deferred) more(untried *uint64) bool {
	if *untried == 0 && d.moves != 0 {
		*untried, d.moves, d.again = d.moves, 0, true
	}
	return *untried != 0
}

// defers defers the move of a bit, which leads to b, if another thread is searching b. It reports whether it did.
func (d *deferred) defers(bit int, u *underway, b rules.Board, plies int) bool {
	if d.again || !u.has(b, plies) {
		return false
	}
	d.moves |= 1 << bit
	return true
}
