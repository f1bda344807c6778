package tournament

import (
	"slices"

	"versus2048/rules"
)

// schedule knows which games of an event are done, which are being played and
// which can begin.
type schedule struct {
	event   Event
	format  Format
	slots   func(name string) int
	done    []Game
	decided []MatchResult
	begun   map[gameKey]bool // done or being played
	queue   []Game           // can be played, not begun, in order
	busy    map[string]int   // games being played, by bot
	running int
}

// gameKey names a game within its event.
type gameKey struct{ match, leg int }

func (g *Game) key() gameKey { return gameKey{g.Match, g.Leg} }

func newSchedule(e Event, f Format, done []Game, slots func(name string) int) *schedule {
	s := &schedule{event: e, format: f, slots: slots, done: done, decided: Matches(done), begun: map[gameKey]bool{}, busy: map[string]int{}}
	for i := range done {
		s.begun[done[i].key()] = true
	}
	s.refill()
	return s
}

// refill asks the format what can be played now.
func (s *schedule) refill() {
	s.queue = s.queue[:0]
	for _, pairing := range s.format.Next(s.decided) {
		for leg := 1; leg <= 2; leg++ {
			if !s.begun[gameKey{pairing.Match, leg}] {
				s.queue = append(s.queue, newGame(s.event, pairing, leg))
			}
		}
	}
}

// begin takes the first game from the queue whose bots are both free. It is not
// ok if none can begin now.
func (s *schedule) begin() (g Game, ok bool) {
	if s.running >= max(1, s.event.Concurrency) {
		return g, false
	}
	for i, g := range s.queue {
		if !s.free(&g) {
			continue
		}
		s.queue = slices.Delete(s.queue, i, i+1)
		s.begun[g.key()] = true
		s.occupy(&g, 1)
		return g, true
	}
	return g, false
}

// end notes that a game is no longer being played. If that decides its match,
// what can be played next may have changed.
func (s *schedule) end(g Game) {
	s.occupy(&g, -1)
	if g.Record.Ending == rules.Unfinished {
		return
	}
	s.done = append(s.done, g)
	if other := s.find(gameKey{g.Match, 3 - g.Leg}); other != nil {
		s.decided = append(s.decided, Matches([]Game{*other, g})...)
		s.refill()
	}
}

func (s *schedule) free(g *Game) bool {
	for _, name := range s.occupants(g) {
		if s.busy[name] >= max(1, s.slots(name)) {
			return false
		}
	}
	return true
}

func (s *schedule) occupy(g *Game, by int) {
	s.running += by
	for _, name := range s.occupants(g) {
		s.busy[name] += by
	}
}

// occupants are the bots that a game occupies.
func (s *schedule) occupants(g *Game) []string {
	attacker, defender := g.Roles(g.Leg)
	if s.event.Rules.Chance() {
		return []string{defender}
	}
	return []string{attacker, defender}
}

// find is a finished game of the event, or nil.
func (s *schedule) find(key gameKey) *Game {
	i := slices.IndexFunc(s.done, func(g Game) bool { return g.key() == key })
	if i < 0 {
		return nil
	}
	return &s.done[i]
}

// newGame is a game of the event before its first ply.
func newGame(e Event, pairing Pairing, leg int) Game {
	attacker, defender := pairing.Roles(leg)
	if e.Rules.Chance() {
		attacker = ChanceName
	}
	return Game{
		Pairing: pairing,
		Leg:     leg,
		Record: rules.Record{
			Event:        e.Name,
			Attacker:     attacker,
			Defender:     defender,
			AttackerSeed: gameSeed(e, pairing.Match, leg, rules.Attacker),
			DefenderSeed: gameSeed(e, pairing.Match, leg, rules.Defender),
			Start:        rules.NewPosition(e.Rules, e.Size),
			Ending:       rules.Unfinished,
		},
	}
}
