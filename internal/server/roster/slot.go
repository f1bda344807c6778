package roster

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// Slot is one name on the roster.
type Slot struct {
	key     protocol.NameKey // finds names that look like this one
	Session *protocol.Session
	users   int          // connections, engagements, and reservations for visitors
	Token   string       // only a bot with this token may use the slot; "" means that any may
	guest   bool         // a visitor has the token
	From    netip.Prefix // of the visitor
	stays   []*Engagement
}

// Engagement is the participation of some bots in an event or in a visitor's game.
type Engagement struct {
	event      int64 // its number; 0 while it has none
	grace      time.Duration
	Allocation *Allocation
	aside      bool   // an open ladder: its bots may play in other events meanwhile
	moved      func() // is called when one of its bots comes or goes, or is released
}

// NewEngagement returns an engagement of bots in an event.
func (r *Roster) NewEngagement(e tournament.Event) *Engagement {
	return &Engagement{event: e.ID, grace: e.Grace, Allocation: r.pool.Allocate(), aside: e.Settings.Plan.Open != tournament.Closed, moved: func() {}}
}

// events returns the numbers of the events that the bot plays in.
func (s *Slot) events() (all []int64) {
	for _, stay := range s.stays {
		if stay.event > 0 {
			all = append(all, stay.event)
		}
	}
	slices.Sort(all)
	return all
}

// full reports whether the bot has no slot for another event, if each event and each visitor's game needs one. Open
// ladders do not count.
func (s *Slot) full() bool {
	events := 0
	for _, stay := range s.stays {
		if !stay.aside {
			events++
		}
	}
	return events > 0 && events >= s.Session.Hello().Slots
}

// setGrace sets the grace of the bot to the longest one of the events and games that the bot plays in, or to the given
// one if it plays in none.
func (s *Slot) setGrace(otherwise time.Duration) {
	if len(s.stays) > 0 {
		otherwise = slices.MaxFunc(s.stays, func(a, b *Engagement) int { return cmp.Compare(a.grace, b.grace) }).grace
	}
	s.Session.SetGrace(otherwise)
}

// Origin tells where a bot comes from.
type Origin string

// The origins.
const (
	Connected Origin = "connected" // by itself; its name is its own claim
	Started   Origin = "started"   // by the arena, from a spec
	Program   Origin = "program"   // started by the arena, from a command of its host
)

// origin returns the origin of the slot's bot.
func (s *Slot) origin() Origin {
	if s.Token != "" && !s.guest {
		return Started
	}
	return Connected
}

// Suits returns an error if the bot of the slot has said that it does not play such games in one of the roles. A nil
// Slot returns no error: its bot is not here, or the arena starts it.
func (s *Slot) Suits(set rules.Ruleset, size rules.Size, roles ...rules.Side) error {
	if s == nil {
		return nil
	}
	hello := s.Session.Hello()
	if err := hello.Plays.Suits(set, size, roles...); err != nil {
		return fmt.Errorf("bot %q: %w", hello.Name, err)
	}
	return nil
}

// alone reports whether the name is in use and cannot be shared: its bot is a visitor or was started by the arena, or
// the arena wants to start a bot of this name (started). Such bots play in one event only.
func (s *Slot) alone(started bool) bool {
	return len(s.stays) > 0 && (started || s.guest || s.Token != "")
}

// whereabouts describes in words where the bot plays.
func (s *Slot) whereabouts() string {
	events := s.events()
	if len(events) == 0 {
		return "is playing with a visitor, or is taken for an event that is about to start"
	}
	return fmt.Sprintf("is playing in event %d", events[0])
}

// Take lets the bot of that name play in an event or a game, beside its other ones. If the arena is going to start the
// bot (started), Take reserves the name for that bot alone. Take returns an error if the name is in use and cannot be
// shared (see alone), if a bot to start has the name of a connected bot, or if the name looks like another one on the
// roster.
func (r *Roster) Take(name string, in *Engagement, started bool) (*Slot, error) {
	defer r.moved()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	switch {
	case s == nil:
	case len(s.stays) > 0 && s.guest:
		return nil, fmt.Errorf("%q is a visitor who plays already: wait for the end of that game", name)
	case s.alone(started):
		return nil, fmt.Errorf("bot %q %s: use NAME=SPEC to give the started bot another name", name, s.whereabouts())
	case started && s.Session.Connected():
		return nil, fmt.Errorf("a bot named %q is connected: use NAME=SPEC to give the started bot another name", name)
	}
	s, err := r.addUser(name, in.event)
	switch {
	case err != nil && started:
		return nil, fmt.Errorf("bot %q: %w: give the started bot another one (NAME=SPEC)", name, err)
	case err != nil:
		return nil, fmt.Errorf("bot %q: %w", name, err)
	}
	s.stays = append(s.stays, in)
	s.setGrace(r.Grace)
	in.Allocation.Add(name, func() int { return s.Session.Hello().Slots })
	if started {
		s.Token = newToken()
	}
	return s, nil
}

// Visit takes a slot of a connected bot for a visitor's game. It returns an error if the bot has no free slot. If the
// visitor has chosen the starting position (chosen), Visit also returns an error while the bot plays in an event: the
// bot's moves would show its opponents how it plays there.
func (r *Roster) Visit(name string, chosen bool) (*Slot, *Engagement, error) {
	if chosen && r.engaged(name) {
		return nil, nil, fmt.Errorf("bot %q %s: it is not asked about positions until the event is over", name, r.whereabouts(name))
	}
	in := &Engagement{grace: VisitorGrace, Allocation: r.pool.Visit(), moved: func() {}}
	s, err := r.Take(name, in, false)
	if err != nil {
		return nil, nil, err
	}
	if !in.Allocation.Take(name) {
		r.Release(name, in)
		return nil, nil, fmt.Errorf("bot %q %s, and offers no more games at once: wait for the end of one", name, r.whereabouts(name))
	}
	return s, in, nil
}

// engaged reports whether a bot plays in an event.
func (r *Roster) engaged(name string) bool {
	return r.has(name, func(s *Slot) bool { return len(s.events()) > 0 })
}

// whereabouts describes in words where the bot of that name plays.
func (r *Roster) whereabouts(name string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil {
		return s.whereabouts()
	}
	return "has left"
}

// SetEvent sets the number of an event, which is known only after its bots are taken.
func (r *Roster) SetEvent(in *Engagement, event int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in.event = event
}

// Tell makes the roster call do when a bot of an engagement comes or goes, or is released.
func (r *Roster) Tell(in *Engagement, do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in.moved = do
}

// announce tells the arena, the events of a bot and the events that have released it: the bot has come or gone.
func (r *Roster) announce(s *Slot, released ...*Engagement) {
	r.mu.RLock()
	all := []func(){r.moved}
	for _, in := range slices.Concat(s.stays, released) {
		all = append(all, in.moved)
	}
	r.mu.RUnlock()
	for _, moved := range all {
		moved()
	}
}

// Release undoes Take. The bot goes on to play in other events.
func (r *Roster) Release(name string, in *Engagement) {
	var s *Slot
	defer func() { r.announce(s, in) }()
	r.mu.Lock()
	defer r.mu.Unlock()
	in.Allocation.Remove(name)
	s = r.slots[name]
	s.stays = slices.DeleteFunc(s.stays, func(other *Engagement) bool { return other == in })
	if !s.guest {
		s.Token = ""
		s.setGrace(r.Grace)
	}
	r.removeUser(name)
}
