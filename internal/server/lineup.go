package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/tournament"
)

// lineup has the bots of one event while it is played: their slots on the roster, and the processes of the bots that
// the arena starts.
type lineup struct {
	entrants *entrants
	event    tournament.Event
	stay     *roster.Engagement // the engagement of the bots that play over a connection
	entries  []tournament.Entry // the entries that take part when play starts
	changes  chan tournament.LineupChange
	pauses   chan bool
	pool     players.Pool // for the bots that play in the arena's process
	executor Executor     // plays games on other machines; may be nil

	playing context.Context // ends when the event is over, must stop or fails
	fail    context.CancelCauseFunc

	mu        sync.Mutex
	claimed   map[string]bool               // names of bots that take part, are joining, or have not left yet
	joined    []tournament.Entry            // the bots that joined while the event was played
	slots     map[string]*roster.Slot       // of the bots that play over a connection, by name
	processes map[string]*roster.OwnProcess // of the bots that the arena started, by name
	programs  map[string]*roster.ProgramBot // of the bots that are commands of the host, by name
	released  bool                          // releaseAll was called: nothing would free a later reservation
}

// goodbyeTimeout is the time that a started bot has to exit after a goodbye.
const goodbyeTimeout = 3 * time.Second

// newLineup takes the slots of the bots that still take part in an event. If it returns an error, it has taken none.
func newLineup(en *entrants, e tournament.Event, entries []tournament.Entry) (*lineup, error) {
	l := &lineup{
		entrants: en, event: e, stay: en.roster.NewEngagement(e), entries: entries, changes: make(chan tournament.LineupChange), pauses: make(chan bool),
		claimed: map[string]bool{}, slots: map[string]*roster.Slot{}, processes: map[string]*roster.OwnProcess{}, programs: map[string]*roster.ProgramBot{},
	}
	if err := en.memory.Reserve(l, roster.MemoryOf(e, l.entries), e.Concurrency); err != nil {
		return nil, err
	}
	if en.farm != nil && !e.Settings.Unrecorded { // without a record, games of a faulty worker cannot be taken back
		l.executor = en.farm.Executor()
	}
	for _, entry := range l.entries {
		err := l.seat(entry)
		if err == nil && !l.open() { // an open ladder goes on without a bot that does not suit it
			err = l.suits(entry)
		}
		if err != nil {
			l.releaseAll()
			return nil, err
		}
		l.claimed[entry.Name] = true // a bot that has left has matches to finish, and is released after them
	}
	return l, nil
}

// take claims the name of a bot that joins, and takes its slot. The bot keeps both until release is called. A bot that
// has left can join again when its matches are over: its name is free then.
func (l *lineup) take(entry tournament.Entry) error {
	if !l.claim(entry.Name) {
		return fmt.Errorf("bot %q still takes part in event %d, or is about to: let it join when it has left", entry.Name, l.event.ID)
	}
	if err := l.seat(entry); err != nil {
		l.disclaim(entry.Name)
		return err
	}
	if err := l.suits(entry); err != nil {
		l.release(entry.Name)
		return err
	}
	return nil
}

// suits returns an error if a bot on a connection has said that it does not play such games as the event's.
func (l *lineup) suits(entry tournament.Entry) error {
	return l.slot(entry.Name).Suits(l.event.Rules, l.event.Size, l.event.Rules.Roles()...)
}

// seat takes the slot of a bot if it needs one.
func (l *lineup) seat(entry tournament.Entry) error {
	if !l.entrants.needsSlot(&l.event, entry) {
		return nil
	}
	s, err := l.entrants.roster.Take(entry.Name, l.stay, entry.Spec != "")
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots[entry.Name] = s
	return nil
}

// claim claims the name of a bot that is about to take part. ok is false if the name was claimed before.
func (l *lineup) claim(name string) (ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ok = !l.claimed[name]
	l.claimed[name] = true
	return ok
}

func (l *lineup) disclaim(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.claimed, name)
}

// farmed reports whether workers play at least some of the event's games: there is a farm, and two bots can play there,
// or one if chance is the opponent.
func (l *lineup) farmed() bool {
	if l.executor == nil {
		return false
	}
	able := 0
	for _, entry := range l.entries {
		if l.executor.Takes(entry) {
			able++
		}
	}
	return able > 1 || able == 1 && l.event.Rules.Chance()
}

// slot returns a bot's slot. It is nil if the bot has been released, or if the bot needs no slot: it plays in this
// process or on workers, or is a program.
func (l *lineup) slot(name string) *roster.Slot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.slots[name]
}

// away returns the bots that are disconnected now, sorted by name.
func (l *lineup) away() []AwayBot {
	l.mu.Lock()
	defer l.mu.Unlock()
	var bots []AwayBot
	for name, s := range l.slots {
		if left, away := s.Session.Away(); away {
			bots = append(bots, AwayBot{name, Millis(left)})
		}
	}
	slices.SortFunc(bots, func(a, b AwayBot) int { return strings.Compare(a.Bot, b.Bot) })
	return bots
}

// setEvent sets the event's number, which is known only after its bots are taken.
func (l *lineup) setEvent(event int64) {
	l.event.ID = event
	l.entrants.roster.SetEvent(l.stay, event)
}

// open reports whether the event is an open ladder.
func (l *lineup) open() bool { return l.event.Settings.Plan.Open != tournament.Closed }

// bots returns the participants for the runner.
func (l *lineup) bots() ([]tournament.Bot, error) {
	var bots []tournament.Bot
	for _, entry := range l.entries {
		bot, err := l.bot(entry)
		if err != nil {
			return nil, err
		}
		bots = append(bots, bot)
	}
	return bots, nil
}

// bot returns one participant for the runner.
func (l *lineup) bot(entry tournament.Entry) (tournament.Bot, error) {
	l.mu.Lock()
	running := l.programs[entry.Name]
	l.mu.Unlock()
	if running != nil && l.executor != nil && l.executor.Takes(entry) {
		return roomy{running}, nil
	}
	if running != nil {
		return running, nil
	}
	if s := l.slot(entry.Name); s != nil {
		return l.remote(entry.Name, s), nil
	}
	pool, guest := &l.pool, l.guest()
	if guest != nil {
		pool = nil // the pool is not for searches with limited time
	}
	bot, err := tournament.NewLocalBot(l.event, entry, l.entrants.version, pool)
	if err != nil {
		return nil, err
	}
	if guest != nil {
		bot.Most, bot.Admit = visitorMove, l.entrants.admitFor(guest.From)
	}
	if l.executor != nil && l.executor.Takes(entry) {
		bot.Games = tournament.MaxConcurrency // the workers limit them
	}
	return bot, nil
}

// remote returns the bot of a slot.
func (l *lineup) remote(name string, s *roster.Slot) roster.RemoteBot {
	return roster.RemoteBot{Name: name, Session: s.Session, Grace: l.event.Grace, Absent: time.Duration(l.event.Settings.Absent)}
}

// roomy is a bot that plays on workers: not the bot but the workers limit its games.
type roomy struct{ tournament.Bot }

// Slots implements tournament.Bot.
func (roomy) Slots() int { return tournament.MaxConcurrency }

// guest returns the slot of the visitor who plays in the event, nil if there is none. The visitor's opponent thinks in
// the processor time that the arena has for strangers.
func (l *lineup) guest() *roster.Slot {
	for _, entry := range l.entries {
		if s := l.entrants.roster.Guest(entry.Name); s != nil {
			return s
		}
	}
	return nil
}

// reserve reserves memory for a bot that joins. The memory stays reserved until the event ends, even if the bot leaves
// earlier: the bot may come back. After the end of the event reserve returns errOver.
func (l *lineup) reserve(entry tournament.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return errOver
	}
	if entry.Spec == "" || slices.Contains(l.entries, entry) || slices.Contains(l.joined, entry) {
		return nil
	}
	joined := append(slices.Clip(l.joined), entry)
	if err := l.entrants.memory.Reserve(l, roster.MemoryOf(l.event, slices.Concat(l.entries, joined)), l.event.Concurrency); err != nil {
		return err
	}
	l.joined = joined
	return nil
}

// join adds a bot to the event after take has accepted it. It starts the bot if necessary, waits until the bot is
// connected, and passes it to the runner.
func (l *lineup) join(ctx context.Context, entry tournament.Entry) error {
	if err := l.reserve(entry); err != nil {
		return err
	}
	if err := l.start(entry); err != nil {
		return err
	}
	if err := l.waitForJoiner(ctx, entry); err != nil {
		return err
	}
	if err := l.suits(entry); err != nil {
		return err
	}
	bot, err := l.bot(entry)
	if err != nil {
		return err
	}
	if err := l.change(ctx, tournament.LineupChange{Entry: entry, Bot: bot}); err != nil {
		return err
	}
	l.watch(entry.Name)
	return nil
}

// errOver means that a bot cannot join or leave any more.
var errOver = errors.New("the event is no longer being played: resume it first")

// change passes a change to the runner and waits until it is recorded.
func (l *lineup) change(ctx context.Context, c tournament.LineupChange) error {
	reply := make(chan error, 1)
	c.Reply = reply
	select {
	case l.changes <- c:
		return <-reply
	case <-l.playing.Done():
		return errOver
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release releases one bot's slot, and ends the bot's process if the arena has started one. After that the bot can take
// part again.
func (l *lineup) release(name string) {
	defer l.disclaim(name)
	l.mu.Lock()
	slot, process, running := l.slots[name], l.processes[name], l.programs[name]
	delete(l.slots, name)
	delete(l.processes, name)
	delete(l.programs, name)
	l.mu.Unlock()
	if running != nil {
		running.Close()
	}
	if slot != nil && process != nil {
		process.Goodbye(slot.Session)
	}
	if process != nil { // releaseAll may have released the slot meanwhile
		process.Stop(goodbyeTimeout)
	}
	if slot != nil {
		l.entrants.roster.Release(name, l.stay)
	}
}

// releaseAfter waits until free is closed, after the last match of a bot that leaves. Then it releases the bot and
// returns true. If the event ends first, it only returns false: the end of the event releases all bots.
func (l *lineup) releaseAfter(free <-chan struct{}, name string) bool {
	select {
	case <-free:
		l.release(name)
		return true
	case <-l.playing.Done():
		return false
	}
}

// releaseAll releases all slots and ends all started processes. The bots that connected by themselves are then free for
// another event.
func (l *lineup) releaseAll() {
	defer l.entrants.memory.Free(l)
	if l.executor != nil {
		l.executor.Close()
	}
	l.mu.Lock()
	slots, processes, programs := l.slots, l.processes, l.programs
	l.released = true
	// A bot that is joining at this moment may still get into these maps; join's caller releases it.
	l.slots, l.processes, l.programs = map[string]*roster.Slot{}, map[string]*roster.OwnProcess{}, map[string]*roster.ProgramBot{}
	l.mu.Unlock()
	var stops sync.WaitGroup
	for _, p := range programs {
		stops.Go(p.Close)
	}
	for name, p := range processes {
		p.Goodbye(slots[name].Session)
		stops.Go(func() { p.Stop(goodbyeTimeout) })
	}
	stops.Wait()
	for name := range slots {
		l.entrants.roster.Release(name, l.stay)
	}
}

// sooner returns the shorter one of two times. If a is 0, which stands for never, it returns b.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// attendances returns the presence of each bot that plays over a connection, by name. due is the time until the
// presence of an absent bot changes by itself, 0 if none does.
func (l *lineup) attendances() (all map[string]tournament.Presence, due time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all = map[string]tournament.Presence{}
	for name, s := range l.slots {
		bot := l.remote(name, s)
		if all[name] = bot.Presence(); all[name] == tournament.Away {
			due = sooner(due, bot.Patience())
		}
	}
	return all, due
}

// expect makes the event try again to start games whenever a bot comes back or is gone for good: the games of absent
// bots are put off. It does so until done is called.
func (l *lineup) expect(ctx context.Context, moved *signal) (done func()) {
	return keepLooking(ctx, moved, func(context.Context) time.Duration {
		_, due := l.attendances()
		l.stay.Allocation.Wake()
		return due
	})
}
