package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Limits of visitors' games and hints, which do not need an operator. docs/SECURITY.md states them.
const (
	mostVisits        = 16                     // games of visitors at once
	mostVisitsFrom    = 4                      // games at once of visitors from one other machine
	visitorMove       = 3 * time.Second        // for a move of a bot in this process, and for a connected bot's hint
	hintTime          = time.Second            // the time for a hint of a bot in this process
	longestThought    = 10 * time.Minute       // the longest time of a visitor for a move
	visitorPatience   = 30 * time.Second       // the longest time that a game waits for its visitor to connect
	visitorMargin     = 200 * time.Millisecond // subtracted from a bot's time in this process, so that no move is late
	visitorLag        = 500 * time.Millisecond // the longest time of a move that is not charged: the network may need it
	visitorMostMemory = 512 << 20              // the most memory that the bot of a game may need
)

// visitors plays the games of visitors against bots, and gives hints to visitors.
type visitors struct {
	*entrants
	host   *host
	turns  *turns
	visits gate.Quota // the places for their games
}

// Challenge is a game that a visitor wants to play against a bot.
type Challenge struct {
	Name     string        `json:"name"`     // at most 40 printable characters; "" lets the arena choose
	Opponent string        `json:"opponent"` // SPEC, or the name of a connected bot
	Role     rules.Side    `json:"role"`     // the visitor's, in the first game
	Rules    rules.Ruleset `json:"rules"`
	Size     rules.Size    `json:"size"`
	PerMove  time.Duration `json:"-"`     // of both sides; at most ten minutes; 0 stands for ten minutes
	Start    string        `json:"start"` // the first position, as rules.Position writes it; "" for the empty board
	// Recorded asks for a match on record: two games with swapped roles. Without it one game is played, which nobody else
	// sees.
	Recorded bool `json:"recorded"`
	Named    bool `json:"-"` // Opponent may be NAME=SPEC on record, too
}

// Invitation has the name and the token that a visitor's page puts into the hello of its WebSocket at /bot. The game
// begins when the page has connected.
type Invitation struct {
	Name  string `json:"name"`
	Token string `json:"token"`
}

// ErrTooMany means that visitors already play, or ask for, as much as the arena allows at once.
var ErrTooMany = gate.ErrTooMany

// Challenge prepares a visitor's game, which begins when the visitor has connected. It returns a *RequestError for a
// game that cannot be played, and ErrTooMany if visitors play too many games now.
func (s *visitors) Challenge(r *http.Request, c Challenge) (Invitation, error) {
	if err := s.host.runs.ready(); err != nil {
		return Invitation{}, err
	}
	done, err := s.visits.Take(s.turns.proxies.Client(r)) // before anything that costs more
	if err != nil {
		return Invitation{}, err
	}
	v, err := s.newChallenged(c, gate.Network(s.turns.proxies.Client(r)), done)
	if err != nil {
		done()
		return Invitation{}, &RequestError{err}
	}
	return Invitation{v.name, v.guest.Token}, nil
}

// newChallenged checks a challenge and takes the resources of its game.
func (s *visitors) newChallenged(c Challenge, from netip.Prefix, done func()) (*visit, error) {
	if err := c.checkOpponent(); err != nil {
		return nil, err
	}
	name, err := s.roster.GuestName(c.Name)
	if err != nil {
		return nil, err
	}
	asked := c.event(name)
	if err := s.allowed.CheckEvent(asked); err != nil {
		return nil, err
	}
	connected := func(bot string) bool { return bot == name || s.CanAsk(bot) }
	e, err := roster.Resolver{Connected: connected, Folder: s.allowed.RelativeTo()}.Resolve(asked, roster.VisitorGrace)
	if err == nil {
		err = checkVisit(players.Need{Memory: roster.MemoryOf(e, e.Entries), Threads: threadsOf(e.Entries)})
	}
	if err == nil {
		err = c.suits(s.roster)
	}
	if err != nil {
		return nil, err
	}
	guest, err := s.roster.Invite(name, from)
	if err != nil {
		return nil, err
	}
	return s.newVisit(&visit{of: s, event: e, name: name, role: c.Role, guest: guest, done: done}, c.Recorded)
}

// checkOpponent returns an error if a visitor names the bot of a game on record (NAME=SPEC): the name may be another
// bot's.
func (c Challenge) checkOpponent() error {
	if _, spec := roster.SplitName(c.Opponent); spec != c.Opponent && c.Recorded && !c.Named {
		return fmt.Errorf("opponent %.100q: on record a bot that the arena starts has the name of its spec: ask for %.100s", c.Opponent, spec)
	}
	return nil
}

// suits returns an error if a connected bot has said that it does not play the games of a challenge.
func (c Challenge) suits(r *roster.Roster) error {
	roles := c.Rules.Roles()
	if !c.Recorded {
		roles = slices.DeleteFunc(roles, func(side rules.Side) bool { return side == c.Role }) // the visitor's
	}
	return r.Suits(c.Opponent, c.Rules, c.Size, roles...)
}

// event returns the event of one match for a challenge.
func (c Challenge) event(guest string) tournament.Event {
	e := tournament.Event{
		Name: guest + " against " + c.Opponent, Rules: c.Rules, Size: c.Size, Matches: 1, Concurrency: 1, InProcess: true,
		Bots: []string{guest, c.Opponent}, Clock: tournament.Clock{PerMove: min(cmp.Or(c.PerMove, longestThought), longestThought)},
		Settings: tournament.Settings{Lenience: tournament.Lenience{Lag: tournament.Millis(visitorLag)}},
		Seed:     RandomSeed(),
	}
	e.Settings.Adjudication.Resign = true
	if c.Role == rules.Attacker {
		e.Bots = []string{c.Opponent, guest}
	}
	if c.Start != "" {
		e.Settings.Openings = tournament.Openings{Source: "a visitor", Starts: []string{c.Start}}
	}
	return e
}

// RandomSeed returns a seed for an event or a game. The seed must be recorded with it.
func RandomSeed() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])                     // never fails
	return binary.BigEndian.Uint64(b[:]) >> 11 // seeds have 53 bits
}

// checkVisit returns an error if a bot for a visitor needs too much memory or too many threads.
func checkVisit(need players.Need) error {
	switch {
	case need.Memory > visitorMostMemory:
		return fmt.Errorf("the bot needs %s of memory, visitors' bots may use %s: give it fewer nodes or playouts", roster.GiB(need.Memory), roster.GiB(visitorMostMemory))
	case need.Threads > 1:
		return fmt.Errorf("the bot searches with %d threads, visitors' bots with one: give it threads=1", need.Threads)
	}
	return nil
}

// threadsOf returns the largest number of threads that one of the bots searches with.
func threadsOf(entries []tournament.Entry) (most int) {
	for _, entry := range entries {
		if spec, err := players.ParseClosed(entry.Spec); err == nil {
			most = max(most, spec.Need().Threads)
		}
	}
	return most
}

// isVisit reports whether a visitor plays in an event.
func isVisit(e tournament.Event) bool {
	return slices.ContainsFunc(e.Entries, func(e tournament.Entry) bool { return roster.IsGuestName(e.Name) })
}

// visit is a visitor's game, from the invitation to its end.
type visit struct {
	of    *visitors
	event tournament.Event
	name  string // of the visitor
	role  rules.Side
	guest *roster.Slot
	other *roster.Slot       // of the opponent, nil if it plays in the arena's process
	stay  *roster.Engagement // of the opponent in its slot
	done  func()             // returns the game's place in the quota
}

// newVisit takes the other resources of an invited visitor's game. It waits for the visitor and plays the game in the
// background.
func (s *visitors) newVisit(v *visit, recorded bool) (*visit, error) {
	play := v.playAlone
	if recorded {
		play = v.playRecorded
	} else if err := v.take(); err != nil {
		s.roster.DismissGuest(v.name, "")
		return nil, err
	}
	if !s.host.runs.goPlay(func(ctx context.Context) { v.run(ctx, play) }) {
		v.release("")
		return nil, errShutdown
	}
	return v, nil
}

// take takes the opponent's slot and memory for a game that is not on record. Chance needs neither.
func (v *visit) take() error {
	if v.event.Rules.Chance() {
		return nil
	}
	opponent := v.opponent()
	if err := v.of.memory.Reserve(v, roster.MemoryOf(v.event, v.event.Entries), 1); err != nil {
		return err
	}
	if opponent.Spec != "" {
		return nil
	}
	slot, stay, err := v.of.roster.Visit(opponent.Name, v.event.Settings.Openings.Starts != nil)
	if err != nil {
		v.of.memory.Free(v)
		return err
	}
	v.other, v.stay = slot, stay
	return nil
}

// opponent returns the entry of the bot that the visitor plays against.
func (v *visit) opponent() tournament.Entry {
	i := slices.IndexFunc(v.event.Entries, func(e tournament.Entry) bool { return e.Name != v.name })
	return v.event.Entries[i]
}

// release returns all resources of the game.
func (v *visit) release(reason string) {
	if v.other != nil {
		v.of.roster.Release(v.opponent().Name, v.stay)
	}
	v.of.memory.Free(v)
	v.of.roster.DismissGuest(v.name, reason)
	v.done()
}

func (v *visit) run(ctx context.Context, play func(context.Context) error) {
	waiting, end := context.WithTimeout(ctx, visitorPatience)
	err := v.guest.Session.Wait(waiting)
	end()
	if err == nil {
		err = play(ctx)
	}
	reason := "the game is over"
	if err != nil {
		reason = err.Error()
	}
	v.release(reason)
}

// playRecorded plays the match on record, like any other event.
func (v *visit) playRecorded(ctx context.Context) error {
	e := v.event
	e.Bots = nil
	id, err := v.of.host.startOn(ctx, e, noAgenda{v.of.host.store}) // a visitor's event is not resumed
	if err != nil {
		return err
	}
	return v.of.host.runs.Follow(ctx, id, time.Second, func(Progress) error { return nil })
}

// playAlone plays one game without a record.
func (v *visit) playAlone(ctx context.Context) error {
	starts, err := v.event.Starts()
	if err != nil {
		return err
	}
	bot, err := v.bot()
	if err != nil {
		return err
	}
	g := v.game(starts[0])
	g.ID = -v.of.host.unrecorded.Add(1)
	person := roster.RemoteBot{Name: v.name, Session: v.guest.Session, Grace: roster.VisitorGrace}
	local := tournament.LocalExecutor{Bots: map[string]tournament.Bot{v.name: person, v.opponent().Name: bot}, Running: v.of.host.stalls}
	var kept unrecorded
	err = local.Play(ctx, tournament.MatchWork{Event: v.event, Games: []tournament.Game{g}}, &kept)
	for _, seat := range kept.seats {
		seat.Over(tournament.GameResult{Game: kept.game, Summary: tournament.Summarize(&kept.game)})
	}
	return err
}

// game returns the game before its first ply.
func (v *visit) game(start rules.Position) tournament.Game {
	g := tournament.Game{Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: v.event.Entries[0].Name, Second: v.event.Entries[1].Name}, Leg: 1}
	g.Record = record.Record{Start: start, AttackerSeed: v.event.Seed, DefenderSeed: v.event.Seed, Ending: record.Unfinished}
	g.Record.Attacker, g.Record.Defender = g.Roles(g.Leg)
	return g
}

// unrecorded is the [tournament.Recorder] of a game that is not on record: it keeps the present state of the game.
type unrecorded struct {
	game  tournament.Game
	seats []tournament.Seat
}

func (u *unrecorded) Begun(g tournament.Game, seats ...tournament.Seat) { u.game, u.seats = g, seats }

func (u *unrecorded) Played(g *tournament.Game, _ tournament.Ply) { u.game = *g }

func (u *unrecorded) Ended(g tournament.Game) error {
	u.game = g
	return nil
}

// bot returns the visitor's opponent, nil if chance is the opponent.
func (v *visit) bot() (tournament.Bot, error) {
	entry := v.opponent()
	if v.event.Rules.Chance() {
		return nil, nil
	}
	if v.other != nil {
		return roster.RemoteBot{Name: entry.Name, Session: v.other.Session, Grace: roster.VisitorGrace}, nil
	}
	spec, err := players.Parse(entry.Spec)
	if err != nil {
		return nil, err
	}
	return &tournament.LocalBot{
		ID: tournament.Identity{Name: entry.Name, Spec: entry.Spec}, Games: 1, New: spec.New,
		Margin: visitorMargin, Most: visitorMove, Admit: v.of.host.admitFor(v.guest.From),
	}, nil
}
