package players

import "sync"

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
// hold its lock wherever they touch the graph, which is much the smaller part
// of the work: the playouts are made outside it.
type parallelSearch struct {
	*ucbSearch
	mu   sync.Mutex
	made int // playouts begun
	most int
}

func (s *ucbSearch) runParallel(c clock, playouts, threads int, g *generator) int {
	p := parallelSearch{ucbSearch: s, most: playouts}
	var group sync.WaitGroup
	for range threads {
		random := newGenerator(g.next())
		group.Go(func() { p.work(c, &descent{random: &random}) })
	}
	group.Wait()
	return p.made
}

// work makes playouts beside other threads. What is under way is reserved, so
// that they look elsewhere (Chaslot, Winands and van den Herik 2008, "Parallel
// Monte-Carlo tree search": a tree with one lock and a virtual loss; here the
// visit counts at once, but no reward is made up for it).
func (p *parallelSearch) work(c clock, d *descent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.made < p.most && (p.made%checkEvery != 0 || !c.expired()) {
		p.made++
		p.descend(d)
		p.reserve(d.path, 1)
		position := p.nodes[d.leaf()].position
		p.mu.Unlock()
		total, n := p.leaves.playouts(position, d.random)
		p.mu.Lock()
		p.reserve(d.path, -1)
		p.learn(d, total, n)
	}
}
