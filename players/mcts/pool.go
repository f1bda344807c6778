package mcts

import (
	"math/bits"
	"runtime"
	"sync"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Pool lets the searches of several games make their playouts side by side, in playout.Lanes. Each
// search still makes one playout after another and learns from each before the next: it chooses the
// move that it would choose alone, in less of the processor's time but later. The zero Pool is ready
// for use, by any number of goroutines.
//
// There are as many groups of searches as threads. One of the goroutines that wait for a search of a
// group works for all of them, until its own search has ended (flat combining: Hendler, Incze, Shavit
// and Tzafrir 2010): thousands of playouts pass between two changes of goroutines.
type Pool struct {
	lock    sync.Mutex
	working int       // groups that somebody works for
	idle    []*group  // the others, which have no members
	waiting []*member // for a group with a vacant lane
}

// member is a search in a Pool.
type member struct {
	ucb            *ucb
	budget         searching.Budget
	playouts, made int
	over           bool
	// lead gets the group that the goroutine of this search has to work for, or nil when the search is
	// over.
	lead chan *group
}

// run is ucb.run beside other searches.
func (p *Pool) run(s *ucb, b searching.Budget, random *playout.Generator) int {
	s.descent.random = random
	m := &member{ucb: s, budget: b, playouts: b.MostPlayouts(), lead: make(chan *group, 1)}
	if g := p.enter(m); g != nil {
		g.work(m)
	} else if g := <-m.lead; g != nil {
		g.work(m)
	}
	return m.made
}

// enter lets a search wait for a vacant lane, or returns a group for which nobody works, with the
// search in it.
func (p *Pool) enter(m *member) *group {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.working >= runtime.GOMAXPROCS(0) {
		p.waiting = append(p.waiting, m)
		return nil
	}
	p.working++
	var g *group
	if last := len(p.idle) - 1; last >= 0 {
		g, p.idle = p.idle[last], p.idle[:last]
	} else {
		g = &group{pool: p, vacant: everyLane}
	}
	g.add(m, m)
	return g
}

// group is the searches whose playouts are made in the same lanes.
type group struct {
	pool    *Pool
	lanes   playout.Lanes
	members [playout.Width]*member // by lane
	vacant  uint32                 // a bit for each lane
}

const everyLane = 1<<playout.Width - 1

// work makes playouts for all members, until the search of own is over. Then another member's
// goroutine goes on.
func (g *group) work(own *member) {
	for !own.over {
		vacant := g.vacant
		for ended := g.lanes.Play(); ended != 0; ended &= ended - 1 {
			lane := bits.TrailingZeros32(ended)
			g.members[lane].learn(g.lanes.Score(lane))
			g.next(lane, own)
		}
		if g.vacant != vacant {
			// The goroutine of a search that is over continues its game, and may soon be back with
			// another search. It would wait for a processor while lanes are vacant.
			runtime.Gosched()
		}
		g.admit(own)
	}
	g.leave()
}

// add gives a search a vacant lane.
func (g *group) add(m, own *member) {
	lane := bits.TrailingZeros32(g.vacant)
	g.vacant &^= 1 << lane
	g.members[lane] = m
	g.next(lane, own)
}

// next begins the next playout of the search in a lane, or ends the search.
func (g *group) next(lane int, own *member) {
	m := g.members[lane]
	if leaf, ok := m.descend(); ok {
		g.lanes.Begin(lane, leaf, m.ucb.descent.random)
		return
	}
	g.members[lane] = nil
	g.vacant |= 1 << lane
	m.over = true
	if m != own {
		m.lead <- nil
	}
}

// admit gives waiting searches the vacant lanes.
func (g *group) admit(own *member) {
	for g.vacant != 0 {
		m := g.pool.admitted()
		if m == nil {
			return
		}
		g.add(m, own)
	}
}

// admitted returns a waiting search, which waits no more, or nil if there is none.
func (p *Pool) admitted() *member {
	p.lock.Lock()
	defer p.lock.Unlock()
	if len(p.waiting) == 0 {
		return nil
	}
	m := p.waiting[0]
	p.waiting = p.waiting[1:]
	return m
}

// leave lets the goroutine of another member work for the group.
func (g *group) leave() {
	for {
		g.admit(nil)
		if g.vacant != everyLane {
			g.members[bits.TrailingZeros32(^g.vacant)].lead <- g
			return
		}
		if g.pool.rest(g) {
			return
		}
	}
}

// rest keeps a group without members until it is needed again. It returns false if a search waits.
func (p *Pool) rest(g *group) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if len(p.waiting) > 0 {
		return false
	}
	p.working--
	p.idle = append(p.idle, g)
	return true
}

// descend goes to the next leaf and returns its position, or false if the search is over.
func (m *member) descend() (rules.Position, bool) {
	if m.made == m.playouts || m.made%stopEvery == 0 && m.budget.Stopped() {
		return rules.Position{}, false
	}
	s := m.ucb
	s.descend(&s.descent)
	return s.graph.positions[s.descent.leaf()], true
}

// learn adds the result of the playout.
func (m *member) learn(score int) {
	m.ucb.learn(&m.ucb.descent, float64(score), 1)
	m.made++
}
