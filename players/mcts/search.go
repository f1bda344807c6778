package mcts

import (
	"sync"
	"unsafe"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Config sets up a Search.
type Config struct {
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

// Choose returns the move in p with the best mean score. p must have a legal move. With several threads the
// number of playouts is rounded up to an even one, and each thread calls the functions of the budget, but only
// one at a time. In a Pool nothing calls Enough.
func (s *Search) Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move {
	s.root = p
	if !s.config.Reuse || !s.ucb.reroot(p, random) {
		s.ucb.start(p, random)
	}
	switch c := s.config; {
	case c.Threads > 1:
		s.playouts = s.ucb.runParallel(b, c.Threads, random)
	case c.Pool != nil:
		s.playouts = c.Pool.run(&s.ucb, b, random)
	default:
		s.playouts = s.ucb.run(b, random)
	}
	return s.ucb.graph.moveIn(p, s.ucb.graph.bestEdge(0))
}

// Result returns the result of the last Choose, which must have been called. The value of a move is its mean
// score. If several moves are equal under symmetry and share a node, only one of them is listed.
func (s *Search) Result() searching.Result { return s.ucb.graph.result(s.root, s.playouts) }

// stopEvery is the number of rounds of a thread between two calls of the functions of a budget. A round is one playout,
// or two with several threads.
const stopEvery = 16

// run makes playouts within the budget, and returns the number of playouts made.
func (s *ucb) run(b searching.Budget, random *playout.Generator) int {
	s.descent.random = random
	most := b.MostPlayouts()
	for i := range most {
		if i%stopEvery == 0 && s.graph.ends(&b, i) {
			return i
		}
		s.step(&s.descent)
	}
	return most
}

// ends reports whether the budget ends a search after a number of playouts.
func (g *graph) ends(b *searching.Budget, made int) bool {
	return b.Stopped() || b.Enough != nil && b.Enough(searching.Progress{Playouts: made, Lead: g.lead()})
}

// parallelSearch is a search by several threads that share one graph. A thread holds the lock while it uses the
// graph. This is the smaller part of the work: playouts are made outside the lock. Each thread makes two
// playouts at once, which takes less time than one after the other and halves the number of times that it takes
// the lock. In a tree it makes them from two leaves. If nodes are shared, it makes both from one leaf, since
// crediting all ancestors is most of the work under the lock.
type parallelSearch struct {
	ucb    *ucb
	budget searching.Budget
	lock   sync.Mutex
	made   int // playouts begun
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
func (s *ucb) runParallel(b searching.Budget, threads int, random *playout.Generator) int {
	p := parallelSearch{ucb: s, budget: b}
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

// work makes playouts while other threads do the same. Each path is reserved while its playout is under way, so that
// other threads, and the second descent of the same thread, take other paths. This is a tree with one lock and a
// virtual loss (Chaslot, Winands and van den Herik 2008, "Parallel Monte-Carlo tree search"), but without an invented
// reward: only the visit counts at once.
func (p *parallelSearch) work(t *thread) {
	p.lock.Lock()
	defer p.lock.Unlock()
	shared := p.ucb.graph.table != nil
	for i, most := 0, p.budget.MostPlayouts(); p.made < most && (i%stopEvery != 0 || !p.ucb.graph.ends(&p.budget, p.made)); i++ {
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
