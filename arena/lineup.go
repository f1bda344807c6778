package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/tournament"
)

// lineup is the bots of one event while it is played: their slots on the roster,
// and the processes of the bots that the arena starts.
type lineup struct {
	host    *host
	event   tournament.Event
	entries []tournament.Entry // the entries that take part when play starts
	changes chan tournament.LineupChange
	pauses  chan bool

	playing context.Context // ends when the event must stop or fails
	fail    context.CancelCauseFunc

	mu        sync.Mutex
	slots     map[string]*slot    // of the bots that play over a connection, by name
	processes map[string]*process // of the bots that the arena started, by name
}

// localMargin is how long before its deadline a bot in the arena's process moves,
// so that its moves are on time.
const localMargin = 10 * time.Millisecond

// goodbyeTimeout is how long a started bot may take to exit after a goodbye.
const goodbyeTimeout = 3 * time.Second

// newLineup takes the slots of the bots that still take part in an event with these finished
// games. If it returns an error, it has taken none.
func newLineup(h *host, r *Record) (*lineup, error) {
	l := &lineup{
		host: h, event: r.event, entries: r.event.Participants(r.format), changes: make(chan tournament.LineupChange), pauses: make(chan bool),
		slots: map[string]*slot{}, processes: map[string]*process{},
	}
	for _, entry := range l.entries {
		if err := l.take(entry); err != nil {
			l.releaseAll()
			return nil, err
		}
	}
	return l, nil
}

// take takes the slot of a bot, unless the bot plays in the arena's process.
func (l *lineup) take(entry tournament.Entry) error {
	if entry.Spec != "" && l.event.InProcess {
		return nil
	}
	s, err := l.host.roster.take(entry.Name, l.event, entry.Spec != "")
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots[entry.Name] = s
	return nil
}

// slot returns a bot's slot, or nil if the bot plays in the arena's process.
func (l *lineup) slot(name string) *slot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.slots[name]
}

// setEvent sets the event's number, which is known only after its bots are taken.
func (l *lineup) setEvent(event int64) {
	l.event.ID = event
	for name := range l.slots {
		l.host.roster.setEvent(name, event)
	}
}

// launchAll starts the bots that have a spec and a slot.
func (l *lineup) launchAll() error {
	for _, entry := range l.entries {
		if err := l.launch(entry); err != nil {
			return err
		}
	}
	return nil
}

// launch starts a bot as a process if it has a spec and a slot.
func (l *lineup) launch(entry tournament.Entry) error {
	s := l.slot(entry.Name)
	if s == nil || entry.Spec == "" {
		return nil
	}
	process, err := startProcess(l.host.launch(Launch{
		Spec:  entry.Spec,
		Name:  entry.Name,
		Token: s.token,
		URL:   l.host.botURL,
		Slots: min(l.event.Concurrency, protocol.MaxSlots),
	}))
	if err != nil {
		return fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.processes[entry.Name] = process
	go l.watch(entry.Name, process)
	return nil
}

// watch fails the event if a started bot's process exits while the bot takes
// part. That is a failure of the arena, not a fault of the bot.
func (l *lineup) watch(name string, p *process) {
	select {
	case <-p.exited:
		if l.slot(name) != nil {
			l.fail(fmt.Errorf("bot %q: its process ended: %w", name, p.failure()))
		}
	case <-l.playing.Done():
	}
}

// waitForBots waits until all bots are connected, but no longer than the grace
// period.
func (l *lineup) waitForBots(ctx context.Context) error {
	ctx, cancel := l.withGrace(ctx)
	defer cancel()
	var absent []string
	for _, entry := range l.entries {
		name, s := entry.Name, l.slot(entry.Name)
		if s == nil || s.session.Wait(ctx) == nil {
			continue
		}
		if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) {
			return cause
		}
		absent = append(absent, name)
	}
	if len(absent) > 0 {
		slices.Sort(absent)
		return fmt.Errorf("not connected: %s", strings.Join(absent, ", "))
	}
	return nil
}

// withGrace returns a context that ends after the event's grace period, or after
// ten seconds if that is longer.
func (l *lineup) withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, max(l.event.Grace, 10*time.Second))
}

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
	if s := l.slot(entry.Name); s != nil {
		return remoteBot{entry.Name, s.session}, nil
	}
	spec, err := players.Parse(entry.Spec)
	if err == nil {
		err = spec.Plays(l.event.Rules, l.event.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	return &tournament.LocalBot{
		ID:     tournament.Identity{Name: entry.Name, Spec: entry.Spec, Version: l.host.version},
		Games:  l.event.Concurrency,
		New:    spec.Within(l.event.Settings.Budget).New,
		Margin: localMargin,
	}, nil
}

// join adds a bot whose slot is already taken to the event: it starts the bot if
// necessary, waits until it is connected, and passes it to the runner.
func (l *lineup) join(ctx context.Context, entry tournament.Entry) error {
	if err := l.launch(entry); err != nil {
		return err
	}
	if s := l.slot(entry.Name); s != nil {
		waiting, cancel := l.withGrace(ctx)
		defer cancel()
		if s.session.Wait(waiting) != nil {
			return fmt.Errorf("bot %q is not connected", entry.Name)
		}
	}
	bot, err := l.bot(entry)
	if err != nil {
		return err
	}
	return l.change(ctx, tournament.LineupChange{Entry: entry, Bot: bot})
}

// change passes a change to the runner and waits until it is recorded.
func (l *lineup) change(ctx context.Context, c tournament.LineupChange) error {
	reply := make(chan error, 1)
	c.Reply = reply
	select {
	case l.changes <- c:
		return <-reply
	case <-l.playing.Done():
		return errors.New("the event is no longer being played")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release releases one bot's slot and ends its process if the arena started it.
func (l *lineup) release(name string) {
	l.mu.Lock()
	slot, process := l.slots[name], l.processes[name]
	delete(l.slots, name)
	delete(l.processes, name)
	l.mu.Unlock()
	if slot == nil {
		return
	}
	if process != nil {
		process.goodbye(slot.session)
		process.stop(time.After(goodbyeTimeout))
	}
	l.host.roster.release(name)
}

// releaseAll releases all slots and ends all started processes. The other bots
// are then free for another event.
func (l *lineup) releaseAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	timeout := time.After(goodbyeTimeout)
	var stops sync.WaitGroup
	for name, p := range l.processes {
		p.goodbye(l.slots[name].session)
		stops.Go(func() { p.stop(timeout) })
	}
	stops.Wait()
	for name := range l.slots {
		l.host.roster.release(name)
	}
	clear(l.processes)
	clear(l.slots)
}
