package mcts

import (
	"math/bits"
	"runtime"
	"sync"

	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// Pool lets the searches of several games make their playouts side by side, in playout.Lanes. Each search still
// makes one playout after another and learns from each before the next. It chooses the same move as alone, with
// less processor time but later. The zero Pool is ready for use, by any number of goroutines.
//
// There are at most as many groups of searches as threads. Each group has one goroutine that works for all its
// searches, until the goroutine's own search has ended. The goroutines of the other searches wait (flat combining:
// Hendler, Incze, Shavit and Tzafrir 2010). Thousands of playouts pass between two changes of goroutines.
type Pool struct {
	lock    sync.Mutex
	working int       // number of groups with a working goroutine
	idle    []*group  // the other groups, which have no members
	waiting []*member // searches that wait for a group with a vacant lane
}

// member is a search in a Pool.
type member struct {
	ucb            *ucb
	budget         searching.Budget
	playouts, made int
	over           bool
	// takeOver gets the group when the goroutine of this search has to work for it, or nil when the search is over.
	takeOver chan *group
}

// run is ucb.run side by side with other searches.
func (p *Pool) run(s *ucb, b searching.Budget, random *playout.Generator) int {
	s.descent.random = random
	m := &member{ucb: s, budget: b, playouts: b.MostPlayouts(), takeOver: make(chan *group, 1)}
	if g := p.enter(m); g != nil {
		g.work(m)
	} else if g := <-m.takeOver; g != nil {
		g.work(m)
	}
	return m.made
}

// enter lets a search wait for a vacant lane, and returns nil. If there are fewer working groups than threads, it
// returns another group with the search in it instead, and the caller must work for this group.
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

// group is a set of searches that make their playouts in the same lanes.
type group struct {
	pool    *Pool
	lanes   playout.Lanes
	members [playout.Width]*member // by their lanes
	vacant  uint32                 // a bit for each lane
}

const everyLane = 1<<playout.Width - 1

// work makes playouts for all members, until the search of own is over. Then the goroutine of another member
// continues.
func (g *group) work(own *member) {
	for !own.over {
		vacant := g.vacant
		for ended := g.lanes.Play(); ended != 0; ended &= ended - 1 {
			lane := bits.TrailingZeros32(ended)
			g.members[lane].learn(g.lanes.Score(lane))
			g.next(lane, own)
		}
		if g.vacant != vacant {
			// The goroutine of a finished search continues its game, and may soon return with another search. Without
			// this call that goroutine would wait for a processor while lanes are vacant.
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
		m.takeOver <- nil
	}
}

// admit gives the vacant lanes to waiting searches.
func (g *group) admit(own *member) {
	for g.vacant != 0 {
		m := g.pool.takeWaiting()
		if m == nil {
			return
		}
		g.add(m, own)
	}
}

// takeWaiting removes the first waiting search and returns it, or nil if none waits.
func (p *Pool) takeWaiting() *member {
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
			g.members[bits.TrailingZeros32(^g.vacant)].takeOver <- g
			return
		}
		if g.pool.retire(g) {
			return
		}
	}
}

// retire keeps a group without members until it is needed again. If a search waits, it does nothing and returns
// false.
func (p *Pool) retire(g *group) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	if len(p.waiting) > 0 {
		return false
	}
	p.working--
	p.idle = append(p.idle, g)
	return true
}

// descend goes to the next leaf and returns its position. It returns false if the search is over.
func (m *member) descend() (rules.Position, bool) {
	if m.made == m.playouts || m.made%stopEvery == 0 && m.budget.Stopped() {
		return rules.Position{}, false
	}
	s := m.ucb
	s.descend(&s.descent)
	return s.graph.positions[s.descent.leaf()], true
}

// learn adds the result of the member's playout.
func (m *member) learn(score int) {
	m.ucb.learn(&m.ucb.descent, float64(score), 1)
	m.made++
}
