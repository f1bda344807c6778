package tournament

import "slices"

// elsewhere tracks the games on other machines for a schedule. It is nil if no games are played there.
type elsewhere struct {
	Elsewhere
	takes   map[string]bool // the answers of Takes, by the names of entries
	games   map[int]int     // games in progress there, by their matches
	playing int             // all of them
}

// newElsewhere returns the state before the first game, or nil if v is nil.
func newElsewhere(v Elsewhere) *elsewhere {
	if v == nil {
		return nil
	}
	return &elsewhere{v, map[string]bool{}, map[int]int{}, 0}
}

// changed returns a channel that receives a value when more games may start there.
func (v *elsewhere) changed() <-chan struct{} {
	if v == nil {
		return nil
	}
	return v.Changed()
}

func (v *elsewhere) plays(e *Event, bots []string) bool {
	return v != nil && !slices.ContainsFunc(bots, func(name string) bool { return !v.knows(e, name) })
}

func (v *elsewhere) knows(e *Event, bot string) bool {
	takes, known := v.takes[bot]
	if !known {
		entry, there := e.Entry(bot)
		takes = there && v.Takes(entry)
		v.takes[bot] = takes
	}
	return takes
}

// count adds games, which may be negative, to the number of a match's games in progress there.
func (v *elsewhere) count(match, games int) {
	v.playing += games
	if v.games[match] += games; v.games[match] == 0 {
		delete(v.games, match)
	}
}

// hasRoom reports whether one more match may begin there.
func (v *elsewhere) hasRoom() bool { return v != nil && len(v.games) < max(1, v.Room()) }

// here returns the number of games in progress in this process.
func (s *schedule) here() int {
	if s.elsewhere == nil {
		return s.running
	}
	return s.running - s.elsewhere.playing
}

func (s *schedule) playedElsewhere(g *Game) bool {
	return s.elsewhere != nil && s.elsewhere.plays(&s.event, s.botsOf(g))
}

// full reports whether no game may begin, here or elsewhere.
func (s *schedule) full() bool {
	return s.here() >= max(1, s.event.Concurrency) && !s.elsewhere.hasRoom()
}

// admits reports whether one more game may begin at the place where g is played.
func (s *schedule) admits(g *Game) bool {
	if s.playedElsewhere(g) {
		return s.elsewhere.hasRoom()
	}
	return s.here() < max(1, s.event.Concurrency)
}

// rest returns the games to play elsewhere after g, in the same match: the second game, or none. It begins the second
// game if this game, too, is to be played elsewhere and its bots are free. The executor plays both games one after the
// other, so rest does not wait for the result of g, even if that result decides when the second game ends: see ready.
func (s *schedule) rest(g *Game) []Game {
	i := slices.IndexFunc(s.open, func(o Game) bool {
		return o.Match == g.Match && o.Leg > g.Leg && s.playedElsewhere(&o) && s.attends(&o) && s.free(own{s}, &o)
	})
	if i < 0 {
		return nil
	}
	return []Game{s.begin(i)}
}
