package tournament

import (
	"fmt"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// schedule knows which games of an event are done, which are in progress and which
// can start.
type schedule struct {
	event   Event
	format  Format
	bots    map[string]Bot
	starts  []rules.Position // the event's openings, or the empty board
	done    []Game
	index   map[gameKey]int // of the games in done
	decided []MatchResult
	total   Total
	started map[gameKey]bool // done or in progress
	queue   []Game           // games that can be played and are not started, in order
	busy    map[string]int   // games in progress, by bot
	running int              // games in progress
	paused  bool
	leaving map[string]chan<- struct{} // closed when the bot has no more games to play
}

// gameKey identifies a game within its event.
type gameKey struct{ match, leg int }

func (g *Game) key() gameKey { return gameKey{g.Match, g.Leg} }

// newSchedule returns a schedule of the games that are not done. It returns an error if
// one of the event's openings cannot be the start of its games.
func newSchedule(e Event, f Format, done []Game, bots map[string]Bot) (*schedule, error) {
	s := &schedule{
		event: e, format: f, bots: bots, done: done, decided: Matches(done),
		index: map[gameKey]int{}, started: map[gameKey]bool{}, busy: map[string]int{}, leaving: map[string]chan<- struct{}{},
	}
	for i := range done {
		s.started[done[i].key()], s.index[done[i].key()] = true, i
	}
	var err error
	s.starts, err = e.Starts()
	s.refill()
	return s, err
}

// refill asks the format what can be played now.
func (s *schedule) refill() {
	s.total = s.format.Total(s.decided)
	s.queue = s.queue[:0]
	for _, pairing := range s.format.Next(s.decided) {
		for leg := 1; leg <= 2; leg++ {
			if !s.started[gameKey{pairing.Match, leg}] {
				s.queue = append(s.queue, newGame(s.event, pairing, leg))
			}
		}
	}
}

// start takes the first game from the queue whose bots are both free. ok is false
// if no game can start now.
func (s *schedule) start() (g Game, ok bool) {
	if s.paused || s.running >= max(1, s.event.Concurrency) {
		return g, false
	}
	for i, g := range s.queue {
		if !s.ready(&g) || !s.free(&g) {
			continue
		}
		g.Record.Start = s.opening(g.Pairing)
		s.queue = slices.Delete(s.queue, i, i+1)
		s.started[g.key()] = true
		s.occupy(&g, 1)
		return g, true
	}
	return g, false
}

// end notes that a game is no longer in progress. If that decides its match,
// what can be played next may have changed.
func (s *schedule) end(g Game) {
	s.occupy(&g, -1)
	if g.Record.Ending == record.Unfinished {
		return
	}
	s.index[g.key()] = len(s.done)
	s.done = append(s.done, g)
	if other := s.find(gameKey{g.Match, 3 - g.Leg}); other != nil {
		s.decided = append(s.decided, Matches([]Game{*other, g})...)
		s.refill()
	}
}

// ready reports whether a game may start before the other one of its match is over.
// With EarlyDecision the second game has to wait: it would otherwise end at a different
// ply if it were played faster than the first.
func (s *schedule) ready(g *Game) bool {
	return g.Leg == 1 || !s.event.Settings.Adjudication.EarlyDecision || s.find(gameKey{g.Match, 1}) != nil
}

func (s *schedule) free(g *Game) bool {
	for _, name := range s.botsOf(g) {
		if s.busy[name] >= max(1, s.bots[name].Slots()) {
			return false
		}
	}
	return true
}

// occupy counts a game as in progress; games is 1 when it starts and -1 when it ends.
func (s *schedule) occupy(g *Game, games int) {
	s.running += games
	for _, name := range s.botsOf(g) {
		s.busy[name] += games
	}
}

// botsOf returns the bots that a game keeps busy.
func (s *schedule) botsOf(g *Game) []string {
	attacker, defender := g.Roles(g.Leg)
	if s.event.Rules.Chance() {
		return []string{defender}
	}
	return []string{attacker, defender}
}

// find returns a finished game of the event, or nil.
func (s *schedule) find(key gameKey) *Game {
	if i, ok := s.index[key]; ok {
		return &s.done[i]
	}
	return nil
}

// target returns the score that decides the game's match once the game has passed it,
// or nil.
func (s *schedule) target(g *Game) *int {
	if first := s.find(gameKey{g.Match, 1}); g.Leg == 2 && first != nil {
		return s.event.Settings.Adjudication.Target(Summarize(first))
	}
	return nil
}

// opening returns the position that a match's games start from.
func (s *schedule) opening(p Pairing) rules.Position {
	if len(s.starts) == 1 {
		return s.starts[0]
	}
	return s.starts[(p.Nth-1)/2%len(s.starts)]
}

// changed returns the event with a change. It applies from the first match on that
// has not been listed yet, so that all listed matches stay as they are.
func (s *schedule) changed(c LineupChange) (Event, error) {
	e := s.event
	name := c.Entry.Name
	known := slices.ContainsFunc(e.Entries, func(o Entry) bool { return o.Name == name })
	switch joins := c.Bot != nil; {
	case !s.total.Joinable:
		return e, fmt.Errorf("event %d is not a ladder: bots cannot join or leave it", e.ID)
	case joins && known && e.Present(name):
		return e, fmt.Errorf("bot %q takes part in event %d already", name, e.ID)
	case !joins && (!known || !e.Present(name)):
		return e, fmt.Errorf("bot %q does not take part in event %d", name, e.ID)
	case joins && !known:
		e.Entries = append(slices.Clip(e.Entries), c.Entry)
		fallthrough
	case joins:
		e.Memberships = append(slices.Clip(e.Memberships), Membership{Name: name, From: s.listed() + 1, To: NotLeft})
	default:
		e.endMembership(name, s.listed())
	}
	return e, e.Validate()
}

// listed returns the highest number of a match that was listed.
func (s *schedule) listed() int {
	last := 0
	for key := range s.started {
		last = max(last, key.match)
	}
	for i := range s.queue {
		last = max(last, s.queue[i].Match)
	}
	return last
}

// release lets go of the bots that are leaving and have nothing left to play.
func (s *schedule) release() {
	for name, free := range s.leaving {
		waiting := slices.ContainsFunc(s.queue, func(g Game) bool { return g.First == name || g.Second == name })
		if !waiting && s.busy[name] == 0 {
			close(free)
			delete(s.leaving, name)
		}
	}
}

// newGame returns a game of the event before its first ply. Its start is not set.
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

// seedBits is the size of seeds. Such numbers are exact even as floating point, as many
// programs read numbers in JSON.
const seedBits = 53

// gameSeed returns the seed of one side in one leg of a match. It is derived from the
// event's seed alone, so that an event can be played again game by game. If chance
// places the tiles, both legs of a match meet the same chance.
func gameSeed(e Event, match, leg int, side rules.Side) uint64 {
	if e.Rules.Chance() && side == rules.Attacker {
		leg = 0
	}
	x := e.Seed
	for _, part := range []uint64{uint64(match), uint64(leg), uint64(side)} {
		x = mix(x + part)
	}
	return x >> (64 - seedBits)
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
