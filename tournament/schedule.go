package tournament

import (
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// schedule knows which games of an event are done, which are being played and
// which can begin.
type schedule struct {
	event   Event
	format  Format
	slots   func(name string) int
	starts  []rules.Position // the event's openings, or the empty board
	done    []Game
	places  map[gameKey]int // of the games in done
	decided []MatchResult
	begun   map[gameKey]bool // done or being played
	queue   []Game           // can be played, not begun, in order
	busy    map[string]int   // games being played, by bot
	running int
	paused  bool
	leaving map[string]chan<- struct{} // closed when the bot has no more games to play
}

// gameKey names a game within its event.
type gameKey struct{ match, leg int }

func (g *Game) key() gameKey { return gameKey{g.Match, g.Leg} }

// newSchedule returns an error if the event's openings are no positions of its
// game.
func newSchedule(e Event, f Format, done []Game, slots func(name string) int) (*schedule, error) {
	s := &schedule{event: e, format: f, slots: slots, done: done, decided: Matches(done), begun: map[gameKey]bool{}, places: map[gameKey]int{}, busy: map[string]int{}, leaving: map[string]chan<- struct{}{}}
	for i := range done {
		s.begun[done[i].key()], s.places[done[i].key()] = true, i
	}
	var err error
	s.starts, err = e.Starts()
	s.refill()
	return s, err
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
	if s.paused || s.running >= max(1, s.event.Concurrency) {
		return g, false
	}
	for i, g := range s.queue {
		if !s.ready(&g) || !s.free(&g) {
			continue
		}
		g.Record.Start = s.start(g.Pairing)
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
	if g.Record.Ending == record.Unfinished {
		return
	}
	s.places[g.key()] = len(s.done)
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
	if i, ok := s.places[key]; ok {
		return &s.done[i]
	}
	return nil
}

// ready tells whether a game may begin before the other one of its match is
// over. Where the first decides the second one's end it may not: the end would
// depend on which is faster.
func (s *schedule) ready(g *Game) bool {
	return g.Leg == 1 || !s.event.Settings.Adjudication.EarlyDecision || s.find(gameKey{g.Match, 1}) != nil
}

// target is the score that decides the game's match once the game has passed it,
// or nil.
func (s *schedule) target(g *Game) *int {
	if first := s.find(gameKey{g.Match, 1}); g.Leg == 2 && first != nil {
		return s.event.Settings.Adjudication.Target(Summarize(first))
	}
	return nil
}

// start is the position that a match's games start from.
func (s *schedule) start(p Pairing) rules.Position {
	if len(s.starts) == 1 {
		return s.starts[0]
	}
	return s.starts[(p.Nth-1)/2%len(s.starts)]
}

// newGame is a game of the event before its first ply; its start is not set.
func newGame(e Event, pairing Pairing, leg int) Game {
	attacker, defender := pairing.Roles(leg)
	if e.Rules.Chance() {
		attacker = ChanceName
	}
	return Game{
		Pairing: pairing,
		Leg:     leg,
		Record: record.Record{
			Event:        e.Name,
			Attacker:     attacker,
			Defender:     defender,
			AttackerSeed: gameSeed(e, pairing.Match, leg, rules.Attacker),
			DefenderSeed: gameSeed(e, pairing.Match, leg, rules.Defender),
			Ending:       record.Unfinished,
		},
	}
}
