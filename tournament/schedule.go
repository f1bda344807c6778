package tournament

import (
	"fmt"
	"maps"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// schedule tracks the games of an event that are in progress, and chooses the games that can start. Its size does not
// grow with the length of the event or the number of finished games, except for the faults in an open ladder with
// strikes.
type schedule struct {
	*Scoreboard
	bots      map[string]Bot
	slots     Slots            // nil if the bots play in no other event
	elsewhere *elsewhere       // nil if all games are played here
	starts    []rules.Position // the event's openings, or the empty board
	total     Total
	open      []Game         // games of given-out matches that have not started, in order
	waiting   map[string]int // games in open, by the bots that they need
	busy      map[string]int // games in progress, by bot
	running   int            // games in progress
	ended     map[int64]bool // games that have ended but are not recorded, by number
	paused    bool
	held      bool                       // a game waits for slots that other events use
	last      bool                       // only games of absent bots are left to play
	begun     map[int]Pairing            // matches that have begun and are not decided, by number
	latest    map[string]int             // the highest number of a match that has begun, by bot
	parting   map[string]LineupChange    // bots that leave an open ladder after the matches that they have begun
	leaving   map[string]chan<- struct{} // closed when the bot has no more games to play
}

// mostWaiting is the greatest number of open games that may wait for one bot. Where chance attacks,
// a game needs only one bot of its match: without the limit, a fast bot could play its games of all
// matches while the games of a slow bot wait.
const mostWaiting = 8

// mostEnded limits the games that have ended and are not recorded: while there are mostEnded of them, no game starts.
// Their results do not count yet, so few games should be played meanwhile.
const mostEnded = 64

// newSchedule returns a schedule of the rest of an event. It returns an error if one of the event's
// openings cannot be the start of its games.
func newSchedule(b *Scoreboard, bots map[string]Bot) (*schedule, error) {
	starts, err := b.event.Starts()
	s := &schedule{
		Scoreboard: b, bots: bots, starts: starts, total: b.format.Total(),
		waiting: map[string]int{}, ended: map[int64]bool{}, busy: map[string]int{}, leaving: map[string]chan<- struct{}{},
		begun: map[int]Pairing{}, latest: maps.Clone(b.last), parting: map[string]LineupChange{},
	}
	for _, half := range b.book.half {
		s.begins(half.Pairing)
	}
	if b.given != nil {
		s.give(*b.given)
		b.given = nil
	}
	return s, err
}

// add counts a finished game. It returns the match if the game decides it; then other matches may be next.
func (s *schedule) add(r Result) (decided *MatchResult) {
	m, decides := s.Add(r)
	s.begins(r.Pairing)
	if !decides {
		return nil
	}
	delete(s.begun, r.Match)
	s.total = s.format.Total()
	return &m
}

// start takes the first game with free bots: first among the given-out matches, then from the
// format's next match. ok is false if no game can start now.
func (s *schedule) start() (g Game, ok bool) {
	if s.paused || s.full() || len(s.ended) >= mostEnded {
		s.await(-1)
		return g, false
	}
	s.last = false
	i := s.choose()
	if i < 0 && s.idle() && s.next() < 0 {
		s.last = true
		i = s.choose()
	}
	if i < 0 {
		s.await(s.next())
		return g, false
	}
	return s.begin(i), true
}

// choose returns the index of the first open game that can start now. If there is none, it opens
// the format's next match that can start. It returns -1 if no game can start.
func (s *schedule) choose() int {
	i := s.first()
	if i < 0 && s.take(s) {
		i = s.first()
	}
	return i
}

func (s *schedule) begin(i int) Game {
	g := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	s.wait(&g, -1)
	s.occupy(&g, 1)
	s.begins(g.Pairing)
	g.Record.Start = s.opening(g.Pairing)
	return g
}

// first returns the index of the first open game that can start now, or -1. It takes the slots that
// the game needs.
func (s *schedule) first() int {
	return slices.IndexFunc(s.open, func(g Game) bool {
		return s.stands(&g) && s.startable(&g, own{s}) && (s.slots == nil || s.slots.Take(s.botsOf(&g)...))
	})
}

// next returns the index of the first open game that could start if no other event used the slots
// of its bots, or -1.
func (s *schedule) next() int {
	if s.slots == nil {
		return -1
	}
	first := func() int {
		return slices.IndexFunc(s.open, func(g Game) bool { return s.stands(&g) && s.startable(&g, own{s}) })
	}
	if i := first(); i >= 0 || !s.take(own{s}) {
		return i
	}
	return first()
}

// await notes that the event needs slots for the open game i, or for none if i is -1. See freed.
func (s *schedule) await(i int) {
	s.held = i >= 0
	switch {
	case s.slots == nil:
	case s.held:
		s.slots.Wait(s.botsOf(&s.open[i])...)
	default:
		s.slots.Wait()
	}
}

// freed returns a channel that receives a value when more games may start.
func (s *schedule) freed() <-chan struct{} {
	if s.slots == nil {
		return nil
	}
	return s.slots.Freed()
}

// over gives back the slots of a game, once its bots know that it is no longer played.
func (s *schedule) over(g *Game) {
	if s.slots != nil {
		s.slots.Give(s.botsOf(g)...)
	}
}

func (s *schedule) take(free Free) bool {
	p, ok := s.nextFor(free)
	if ok {
		s.give(p)
	}
	return ok
}

func (s *schedule) give(p Pairing) {
	for leg := 1; leg <= 2; leg++ {
		if half, known := s.book.Half(p.Match); !known || half.Leg != leg {
			g := newGame(s.event, p, leg)
			s.open = append(s.open, g)
			s.wait(&g, 1)
		}
	}
}

// left reports whether there are games to start, even if their bots are busy or away. It may open
// the format's next match, which then waits for its bots.
func (s *schedule) left() bool {
	return slices.ContainsFunc(s.open, func(g Game) bool { return s.stands(&g) }) || s.take(Everyone{})
}

// played notes that a game has ended and is being recorded. Its bots are free.
func (s *schedule) played(g *Game) {
	s.occupy(g, -1)
	s.ended[g.ID] = true
}

func (s *schedule) idle() bool { return s.running == 0 && len(s.ended) == 0 }

// end notes that a game is neither in progress nor being recorded any more. If both games of the match are
// finished now, it returns the result of the other one and the match.
func (s *schedule) end(g *Game, result Result) (other *Result, decided *MatchResult) {
	if s.ended[g.ID] {
		delete(s.ended, g.ID)
	} else {
		s.occupy(g, -1)
	}
	if g.Record.Ending == record.Unfinished {
		return nil, nil
	}
	if half, known := s.book.Half(g.Match); known {
		other = &half
	}
	return other, s.add(result)
}

// stands reports whether the game's match is to be played. Strikes may have set one of its bots
// aside since it was given out.
func (s *schedule) stands(g *Game) bool { return s.format.SetAside().Of(g.Pairing) == nil }

// ready reports whether a game may start as far as the other game of its match is concerned. With EarlyDecision the
// second game waits for the end of the first one: a second game that is played faster would end at a different ply.
func (s *schedule) ready(g *Game) bool {
	if g.Leg == 1 || !s.event.Settings.Adjudication.EarlyDecision {
		return true
	}
	_, first := s.book.Half(g.Match)
	return first
}

// startable reports whether a game could start now, given the free bots.
func (s *schedule) startable(g *Game, free Free) bool {
	return s.ready(g) && s.attends(g) && s.free(free, g) && s.admits(g)
}

func (s *schedule) free(free Free, g *Game) bool {
	return !slices.ContainsFunc(s.botsOf(g), func(name string) bool { return !free.Bot(name) })
}

// Bot implements Free: it reports whether the bot can start its games now, and has a free slot that other events do not
// use.
func (s *schedule) Bot(name string) bool {
	return own{s}.Bot(name) && (s.slots == nil || s.slots.Free(name))
}

// Match implements Free: it reports whether one of the match's games can start, and not too many games wait for a bot
// of the other game.
func (s *schedule) Match(p Pairing) bool { return s.match(s, p) }

// own is Free without regard to the bots' other events.
type own struct{ *schedule }

// Bot implements Free. It returns false for a bot that had left before this run and has nothing to play in it.
func (s own) Bot(name string) bool {
	bot := s.bots[name]
	return bot != nil && s.busy[name] < max(1, bot.Slots()) && s.comes(name)
}

// Match implements Free.
func (s own) Match(p Pairing) bool { return s.match(s, p) }

// match reports whether a match can be given out, given the free bots.
func (s *schedule) match(free Free, p Pairing) bool {
	can := false
	for leg := 1; leg <= 2; leg++ {
		if half, known := s.book.Half(p.Match); known && half.Leg == leg {
			continue
		}
		attacker, defender := p.Roles(leg)
		g := Game{Pairing: p, Leg: leg, Record: record.Record{Attacker: attacker, Defender: defender}}
		switch {
		case s.startable(&g, free):
			can = true
		case slices.ContainsFunc(s.botsOf(&g), func(name string) bool { return s.waiting[name] >= mostWaiting }):
			return false
		}
	}
	return can
}

// occupy counts a game as in progress; games is 1 at its start and -1 at its end.
func (s *schedule) occupy(g *Game, games int) {
	s.running += games
	if s.playedElsewhere(g) {
		s.elsewhere.count(g.Match, games)
	}
	for _, name := range s.botsOf(g) {
		s.busy[name] += games
	}
}

// wait counts a game as open; games is 1 when its match is given out and -1 when the game starts.
func (s *schedule) wait(g *Game, games int) {
	for _, name := range s.botsOf(g) {
		s.waiting[name] += games
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

func (s *schedule) target(g *Game) *int {
	if first, known := s.book.Half(g.Match); g.Leg == 2 && known {
		return s.event.Settings.Adjudication.Target(first.Summary)
	}
	return nil
}

// opening returns the start position of a match's games. Two matches that differ only in the first
// attacker have the same opening.
func (s *schedule) opening(p Pairing) rules.Position {
	if len(s.starts) == 1 {
		return s.starts[0]
	}
	n := (p.Nth - 1) / 2
	if s.event.Settings.Plan.SeedsAttack {
		n = p.Nth - 1
	}
	return s.starts[n%len(s.starts)]
}

// changed returns the event with a change. In a ladder a change applies from the first match that
// has not been listed yet, so that all listed matches stay the same. A bot also joins a Swiss event
// from that match on. It leaves any event but a ladder after the last of its matches that has begun or is settled.
func (s *schedule) changed(c LineupChange) (Event, error) {
	e := s.event
	name := c.Entry.Name
	entry, known := e.Entry(name)
	format, _ := s.format.(Joinable)
	ladder := e.Settings.Plan.Kind == Ladder
	switch joins := c.Bot != nil; {
	case joins && s.Joinable() != nil:
		return e, s.Joinable()
	case joins && known && e.Present(name):
		return e, fmt.Errorf("bot %q takes part in event %d already", name, e.ID)
	case joins && known && !ladder:
		return e, fmt.Errorf("bot %q has left event %d: a bot can come back only to a ladder", name, e.ID)
	case joins && s.leaving[name] != nil:
		return e, fmt.Errorf("bot %q has not left event %d yet: let it join when its matches are over", name, e.ID)
	case joins && !known && e.full():
		return e, fmt.Errorf("event %d has had %d bots, as many as it may have: bot %q cannot join it", e.ID, len(e.Entries), name)
	case joins && known && entry.Spec != c.Entry.Spec:
		return e, fmt.Errorf("event %d has another bot named %q: give this one another name", e.ID, name)
	case !joins && (!known || !e.Present(name)):
		return e, fmt.Errorf("bot %q does not take part in event %d", name, e.ID)
	case joins && !known:
		e.Entries = append(slices.Clip(e.Entries), c.Entry)
		fallthrough
	case joins:
		e.beginMembership(name, format.Listed()+1)
	case ladder:
		e.endMembership(name, format.Listed())
	default:
		e.endMembership(name, max(s.latest[name], s.format.Settled(name)))
	}
	return e, e.Validate()
}

// change sets the event that changed returned.
func (s *schedule) change(e Event) {
	s.SetEvent(e)
	s.prune()
	s.total = s.format.Total()
}

// release frees the leaving bots that have nothing left to play.
func (s *schedule) release() {
	for name, free := range s.leaving {
		waits := slices.ContainsFunc(s.open, func(g Game) bool { return s.stands(&g) && (g.First == name || g.Second == name) })
		if !waits && s.busy[name] == 0 && !s.format.Due(name) {
			close(free)
			delete(s.leaving, name)
		}
	}
}

// newGame returns a game of the event before its first ply. Its start position is not set.
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

// seedBits is the size of seeds in bits. Such seeds are exact even as floating-point numbers, which many programs use
// for numbers in JSON.
const seedBits = 53

// gameSeed returns the seed of one side in one leg of a match. It depends only on the side, the leg, the match's number
// and the event's seed, so that an event can be played again game by game. If chance places the tiles, both legs of a
// match have the same seed for chance.
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
