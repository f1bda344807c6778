package mcts

import (
	"sync"
	"unsafe"

	"versus2048/players/playout"
	"versus2048/rules"
)

// Config sets up a Search.
type Config struct {
	Playouts    int     // random games for each move, at least 1; with several threads rounded up to an even number
	Nodes       int     // positions kept at most, at least 64; at this limit no more leaves are expanded
	Exploration float64 // c of UCB1, in points
	ExpandAt    int     // playouts from a leaf before it is expanded
	// Threads is the number of threads that search together, at least 1. With several threads a search cannot
	// be repeated exactly.
	Threads int
	// Reuse starts each search with the results of the previous one. The moves then depend on the whole game.
	Reuse bool
	// Share lets equal positions share a node: MCTS2 instead of MCTS.
	Share bool
	// Canonical lets positions that are equal under rotation and reflection share a node, too. It needs Share.
	Canonical bool
	// Pool makes the playouts of a search with one thread side by side with other searches. Nil makes them
	// alone. The search is the same.
	Pool *Pool
}

// Search is a Monte-Carlo tree search with UCB1. The rewards are the scores of random playouts.
type Search struct {
	config   Config
	ucb      ucb
	root     rules.Position // as given to Choose, not canonical
	playouts int            // made by the last search
}

// New returns a Search.
func New(c Config) *Search {
	s := &Search{config: c, ucb: ucb{
		graph:       graph{canonical: c.Canonical, threads: c.Threads, limit: c.Nodes},
		leaves:      onePlayout{},
		exploration: c.Exploration,
		expandAt:    int32(c.ExpandAt),
	}}
	if c.Share {
		s.ucb.graph.table = &nodeTable{}
	}
	return s
}

// onePlayout rates a leaf like the paper: by the score of one random game.
type onePlayout struct{}

func (onePlayout) playouts(p rules.Position, random *playout.Generator) (total float64, n int32) {
	return float64(playout.Play(p, random)), 1
}

// Choose returns the move in p with the best mean score. p must have a legal move. Choose calls stop every few
// playouts, and ends early when stop reports true. With several threads each thread calls stop, but only one at
// a time.
func (s *Search) Choose(p rules.Position, random *playout.Generator, stop func() bool) rules.Move {
	s.root = p
	if !s.config.Reuse || !s.ucb.reroot(p, random) {
		s.ucb.start(p, random)
	}
	switch c := s.config; {
	case c.Threads > 1:
		s.playouts = s.ucb.runParallel(c.Playouts, c.Threads, random, stop)
	case c.Pool != nil:
		s.playouts = c.Pool.run(&s.ucb, c.Playouts, random, stop)
	default:
		s.playouts = s.ucb.run(c.Playouts, random, stop)
	}
	return s.ucb.graph.moveIn(p, s.ucb.graph.bestEdge(0))
}

// Stats returns the statistics of the last Choose, which must have been called. The mean of a move is its mean
// score.
func (s *Search) Stats() Stats { return s.ucb.graph.summary(s.root, s.playouts) }

// stopEvery is the number of playouts between two calls of stop.
const stopEvery = 16

// run makes the given number of playouts, or fewer if it is stopped, and returns the number of playouts made.
func (s *ucb) run(playouts int, random *playout.Generator, stop func() bool) int {
	s.descent.random = random
	for i := range playouts {
		if i%stopEvery == 0 && stop() {
			return i
		}
		s.step(&s.descent)
	}
	return playouts
}

// parallelSearch is a search by several threads that share one graph. A thread holds the lock while it uses the
// graph. This is the smaller part of the work: playouts are made outside the lock. Each thread makes two
// playouts at once, which takes less time than one after the other and halves the number of times that it takes
// the lock. In a tree it makes them from two leaves. If nodes are shared, it makes both from one leaf, since
// crediting all ancestors is most of the work under the lock.
type parallelSearch struct {
	ucb  *ucb
	stop func() bool
	lock sync.Mutex
	made int // playouts begun
	most int // playouts to make
}

// thread holds the data that a thread writes to all the time. It fills whole cache lines: two generators in the
// same cache line were measured to halve the speed.
type thread struct {
	descents [2]descent
	random   [2]playout.Generator // of each descent
	_        [2*cacheLines - 2*unsafe.Sizeof(descent{}) - 2*unsafe.Sizeof(playout.Generator{})]byte
}

// cacheLines is the size of two cache lines, which are fetched together.
const cacheLines = 128

// runParallel is run with several threads.
func (s *ucb) runParallel(playouts, threads int, random *playout.Generator, stop func() bool) int {
	p := parallelSearch{ucb: s, stop: stop, most: playouts}
	var group sync.WaitGroup
	for range threads {
		t := &thread{}
		for i := range t.descents {
			t.random[i] = playout.NewGenerator(random.Next())
			t.descents[i].random = &t.random[i]
		}
		group.Go(func() { p.work(t) })
	}
	group.Wait()
	return p.made
}

// work makes playouts while other threads do the same. Each path is reserved while its playout is under way, so
// that other threads, and the second descent of the same thread, take other paths (Chaslot, Winands and van den
// Herik 2008, "Parallel Monte-Carlo tree search": a tree with one lock and a virtual loss; here the visit
// counts at once, but no reward is invented for it).
func (p *parallelSearch) work(t *thread) {
	p.lock.Lock()
	defer p.lock.Unlock()
	shared := p.ucb.graph.table != nil
	for i := 0; p.made < p.most && (i%stopEvery != 0 || !p.stop()); i++ {
		p.made += len(t.descents)
		first := p.begin(&t.descents[0])
		second := first
		if !shared {
			second = p.begin(&t.descents[1])
		}
		p.lock.Unlock()
		one, two := playout.PlayTwo(first, second, &t.random[0], &t.random[1])
		p.lock.Lock()
		if shared {
			p.end(&t.descents[0], one+two, 2)
		} else {
			p.end(&t.descents[0], one, 1)
			p.end(&t.descents[1], two, 1)
		}
	}
}

// begin descends to a leaf, reserves the path and returns the position of the leaf.
func (p *parallelSearch) begin(d *descent) rules.Position {
	p.ucb.descend(d)
	p.ucb.graph.reserve(d.path, 1)
	return p.ucb.graph.positions[d.leaf()]
}

// end adds the result of the playouts from the leaf that begin descended to.
func (p *parallelSearch) end(d *descent, total int, playouts int32) {
	p.ucb.graph.reserve(d.path, -1)
	p.ucb.learn(d, float64(total), playouts)
}
