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
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// field is the bots of one event, for as long as it is played.
type field struct {
	host    *host
	event   tournament.Event
	entries []tournament.Entry // those of the event that it needs at the start
	changes chan tournament.LineupChange
	pauses  chan bool

	playing context.Context // ends when the event is to stop, or fails
	fail    context.CancelCauseFunc

	mu        sync.Mutex
	places    map[string]*place   // of those that play over a socket
	processes map[string]*process // of those that were started
}

// localMargin is what a bot inside our own process has less than its clock.
const localMargin = 10 * time.Millisecond

// goodbyePatience is how long a started bot may take to leave after goodbye.
const goodbyePatience = 3 * time.Second

// engage takes the places of an event's bots, as far as they still take part
// after what is decided. It takes none if it returns an error.
func (h *host) engage(e tournament.Event, done []tournament.MatchResult) (*field, error) {
	f := &field{
		host: h, event: e, entries: e.Participants(format.New(e), done), changes: make(chan tournament.LineupChange), pauses: make(chan bool),
		places: map[string]*place{}, processes: map[string]*process{},
	}
	for _, entry := range f.entries {
		if err := f.engage(entry); err != nil {
			f.disband()
			return nil, err
		}
	}
	return f, nil
}

// engage takes the place of a bot, unless it plays in our own process.
func (f *field) engage(entry tournament.Entry) error {
	if entry.Spec != "" && f.event.InProcess {
		return nil
	}
	p, err := f.host.roster.engage(entry.Name, f.event, entry.Spec != "")
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.places[entry.Name] = p
	return nil
}

// place is a bot's place; it is nil for one that plays in our own process.
func (f *field) place(name string) *place {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.places[name]
}

// enter notes the event's number, which it gets after its bots are engaged.
func (f *field) enter(event int64) {
	f.event.ID = event
	for name := range f.places {
		f.host.roster.enter(name, event)
	}
}

// assemble waits until all bots are connected, no longer than the grace period.
func (f *field) assemble(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(f.event.Grace, 10*time.Second))
	defer cancel()
	var absent []string
	for _, entry := range f.entries {
		name, p := entry.Name, f.place(entry.Name)
		if p == nil || p.session.Wait(ctx) == nil {
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

// bots are the participants, for the runner.
func (f *field) bots() ([]tournament.Bot, error) {
	var bots []tournament.Bot
	for _, entry := range f.entries {
		bot, err := f.bot(entry)
		if err != nil {
			return nil, err
		}
		bots = append(bots, bot)
	}
	return bots, nil
}

func (f *field) bot(entry tournament.Entry) (tournament.Bot, error) {
	if p := f.place(entry.Name); p != nil {
		return remoteBot{entry.Name, p.session}, nil
	}
	spec, err := players.Parse(entry.Spec)
	if err == nil {
		err = spec.Plays(f.event.Rules, f.event.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("bot %q: %w", entry.Name, err)
	}
	return &tournament.LocalBot{
		ID:     tournament.Identity{Name: entry.Name, Spec: entry.Spec, Version: f.host.version},
		Games:  f.event.Concurrency,
		New:    spec.Within(f.event.Settings.Budget).New,
		Margin: localMargin,
	}, nil
}

// disband lets the bots go: those that were started end, the others are free
// for another event.
func (f *field) disband() {
	f.mu.Lock()
	defer f.mu.Unlock()
	patience := time.After(goodbyePatience)
	var stops sync.WaitGroup
	for name, p := range f.processes {
		p.dismiss(f.places[name].session)
		stops.Go(func() { p.stop(patience) })
	}
	stops.Wait()
	for name := range f.places {
		f.host.roster.dismiss(name)
	}
	clear(f.processes)
	clear(f.places)
}
