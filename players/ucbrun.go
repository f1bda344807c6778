package players

import (
	"sync"
	"unsafe"
)

// checkEvery is how many playouts pass between two looks at the clock.
const checkEvery = 16

// run makes so many playouts, or fewer if the time is up before, and returns how many.
func (s *ucbSearch) run(c clock, playouts, threads int, g *generator) int {
	if threads > 1 {
		return s.runParallel(c, playouts, threads, g)
	}
	s.descent.random = g
	for i := range playouts {
		if i%checkEvery == 0 && c.expired() {
			return i
		}
		s.step(&s.descent)
	}
	return playouts
}

// parallelSearch is a search in which several threads share one graph. They
// hold its lock wherever they touch the graph, which is the smaller part of the
// work: the playouts are made outside it, two at once from each leaf, which
// makes it smaller still.
type parallelSearch struct {
	*ucbSearch
	leaves evaluator
	lock   sync.Mutex
	made   int // playouts begun
	most   int
}

// playoutsAtOnce is how many playouts a thread makes from a leaf.
const playoutsAtOnce = 2

// thread is what a thread writes to all the time. It fills cache lines of its
// own: two generators side by side in one were measured to halve the speed.
type thread struct {
	descent descent
	random  generator
	_       [cacheLines - unsafe.Sizeof(descent{}) - unsafe.Sizeof(generator{})]byte
}

// cacheLines is the size of two cache lines, which are fetched together.
const cacheLines = 128

func (s *ucbSearch) runParallel(c clock, playouts, threads int, g *generator) int {
	p := parallelSearch{ucbSearch: s, leaves: fairPlayouts{playoutsAtOnce}, most: playouts}
	var group sync.WaitGroup
	for range threads {
		t := &thread{random: newGenerator(g.next())}
		t.descent.random = &t.random
		group.Go(func() { p.work(c, &t.descent) })
	}
	group.Wait()
	return p.made
}

// work makes playouts beside other threads. What is under way is reserved, so
// that they look elsewhere (Chaslot, Winands and van den Herik 2008, "Parallel
// Monte-Carlo tree search": a tree with one lock and a virtual loss; here the
// visit counts at once, but no reward is made up for it).
func (p *parallelSearch) work(c clock, d *descent) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for i := 0; p.made < p.most && (i%checkEvery != 0 || !c.expired()); i++ {
		p.made += playoutsAtOnce
		p.descend(d)
		p.reserve(d.path, 1)
		position := p.nodes[d.leaf()].position
		p.lock.Unlock()
		total, n := p.leaves.playouts(position, d.random)
		p.lock.Lock()
		p.reserve(d.path, -1)
		p.learn(d, total, n)
	}
}
