package players

import (
	"sync"
	"unsafe"

	"versus2048/players/playout"
	"versus2048/rules"
)

// checkEvery is how many playouts pass between two looks at the clock.
const checkEvery = 16

// run makes so many playouts, or fewer if the time is up before, and returns how many.
func (s *ucbSearch) run(c clock, playouts, threads int, g *playout.Generator) int {
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
// work: the playouts are made outside it. Each thread makes two at a time, which
// takes it less time than one after the other, and the lock half as often: from
// two leaves in a tree; from one where nodes are shared, since crediting all
// ancestors is most of what is done under the lock.
type parallelSearch struct {
	*ucbSearch
	lock sync.Mutex
	made int // playouts begun
	most int
}

// thread is what a thread writes to all the time. It fills cache lines of its
// own: two generators side by side in one were measured to halve the speed.
type thread struct {
	descents [2]descent
	random   playout.Generator
	_        [2*cacheLines - 2*unsafe.Sizeof(descent{}) - unsafe.Sizeof(playout.Generator{})]byte
}

// cacheLines is the size of two cache lines, which are fetched together.
const cacheLines = 128

func (s *ucbSearch) runParallel(c clock, playouts, threads int, g *playout.Generator) int {
	p := parallelSearch{ucbSearch: s, most: playouts}
	var group sync.WaitGroup
	for range threads {
		t := &thread{random: playout.NewGenerator(g.Next())}
		t.descents[0].random, t.descents[1].random = &t.random, &t.random
		group.Go(func() { p.work(c, t) })
	}
	group.Wait()
	return p.made
}

// work makes playouts beside other threads. What is under way is reserved, so
// that they, and the thread's own second descent, look elsewhere (Chaslot,
// Winands and van den Herik 2008, "Parallel Monte-Carlo tree search": a tree
// with one lock and a virtual loss; here the visit counts at once, but no reward
// is made up for it).
func (p *parallelSearch) work(c clock, t *thread) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for i := 0; p.made < p.most && (i%checkEvery != 0 || !c.expired()); i++ {
		p.made += len(t.descents)
		first := p.begin(&t.descents[0])
		second := first
		if p.table == nil {
			second = p.begin(&t.descents[1])
		}
		p.lock.Unlock()
		one, two := playout.PlayTwo(first, second, &t.random)
		p.lock.Lock()
		if p.table == nil {
			p.end(&t.descents[0], one, 1)
			p.end(&t.descents[1], two, 1)
		} else {
			p.end(&t.descents[0], one+two, 2)
		}
	}
}

// begin goes to a leaf, reserves the way and returns the leaf's position.
func (p *parallelSearch) begin(d *descent) rules.Position {
	p.descend(d)
	p.reserve(d.path, 1)
	return p.nodes[d.leaf()].position
}

// end learns what the playouts from the leaf gave that begin went to.
func (p *parallelSearch) end(d *descent, total int, playouts int32) {
	p.reserve(d.path, -1)
	p.learn(d, float64(total), playouts)
}
