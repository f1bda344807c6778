package roster

import "slices"

// Allocation has the slots of one event in a [Pool]. It implements tournament.Slots. A bot that was not added to the
// allocation always has a free slot: it plays in no other event.
type Allocation struct {
	pool    *Pool
	long    bool           // see Pool.Visit
	games   map[string]int // the number of games in progress of each bot in the allocation
	request *request       // nil unless the event waits for slots
	freed   chan struct{}
}

// Add adds a bot to the event. offers returns the number of games that the bot plays at once, over all events; it is
// called with the pool locked.
func (s *Allocation) Add(name string, offers func() int) {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := s.games[name]; known {
		return
	}
	if p.bots[name] == nil {
		p.bots[name] = &bot{}
	}
	p.bots[name].offers = offers
	p.bots[name].allocations++
	s.games[name] = 0
}

// Remove removes a bot from the event, and gives back its slots.
func (s *Allocation) Remove(name string) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	if r := s.request; r != nil && slices.Contains(r.bots, name) {
		s.withdraw()
	}
	s.remove(name)
	s.pool.wake()
}

// Free reports whether Take would take a slot of each of these bots now.
func (s *Allocation) Free(bots ...string) bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.grants(s, s.shared(bots))
}

// Take takes a slot of each of these bots for a game and returns true, or takes none and returns false.
func (s *Allocation) Take(bots ...string) bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	bots = s.shared(bots)
	if !s.pool.grants(s, bots) {
		return false
	}
	if s.request != nil && slices.Equal(s.request.bots, bots) {
		s.withdraw()
	}
	for _, name := range bots {
		s.games[name]++
		s.pool.bots[name].used++
		for _, r := range s.pool.waiting {
			if r.allocation != s {
				r.pass(name, s.long)
			}
		}
	}
	return true
}

// Give returns the slots that Take took.
func (s *Allocation) Give(bots ...string) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	for _, name := range s.shared(bots) {
		if s.games[name] > 0 { // 0 if the bot has left the event and come back meanwhile
			s.games[name]--
			s.pool.bots[name].used--
		}
	}
	s.pool.wake()
}

// Wait requests a slot of each of the bots in the event's next game. Without bots it ends the request. The event keeps
// its place in the queue while Wait is called with the same bots.
func (s *Allocation) Wait(bots ...string) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	bots = s.shared(bots)
	if s.request != nil && !slices.Equal(s.request.bots, bots) {
		s.withdraw()
		s.pool.wake()
	}
	if s.request == nil && len(bots) > 0 {
		s.request = &request{s, bots, make([]int, len(bots))}
		s.pool.waiting = append(s.pool.waiting, s.request)
	}
	if s.request != nil && s.pool.grants(s, bots) {
		s.Wake() // a slot became free before the event said that it waits
	}
}

// Waits reports whether the event waits for slots that other events or visitors' games use, or are to get first.
func (s *Allocation) Waits() bool {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.request != nil && !s.pool.grants(s, s.request.bots)
}

// Freed returns a channel that receives a value when the event should try again to take slots.
func (s *Allocation) Freed() <-chan struct{} { return s.freed }

// Wake makes the event try again: its bots may have free slots now.
func (s *Allocation) Wake() {
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

// shared returns the bots that may play in other events. The caller holds the pool's lock, as for the methods below.
func (s *Allocation) shared(bots []string) (all []string) {
	for _, name := range bots {
		if _, known := s.games[name]; known {
			all = append(all, name)
		}
	}
	return all
}

// withdraw ends the event's request, if it has one.
func (s *Allocation) withdraw() {
	p := s.pool
	p.waiting = slices.DeleteFunc(p.waiting, func(r *request) bool { return r == s.request })
	s.request = nil
}

func (s *Allocation) remove(name string) {
	games, known := s.games[name]
	if !known {
		return
	}
	delete(s.games, name)
	b := s.pool.bots[name]
	b.used -= games
	if b.allocations--; b.allocations == 0 {
		delete(s.pool.bots, name)
	}
}
