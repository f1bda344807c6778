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

// field is the bots of one event, for as long as it is played.
type field struct {
	host   *host
	event  tournament.Event
	places map[string]*place // of those that play over a socket

	processes map[string]*process // of those that were started
}

// localMargin is what a bot inside our own process has less than its clock.
const localMargin = 10 * time.Millisecond

// goodbyePatience is how long a started bot may take to leave after goodbye.
const goodbyePatience = 3 * time.Second

// engage takes the places of an event's bots. It takes none if it returns an
// error.
func (h *host) engage(e tournament.Event) (*field, error) {
	f := &field{host: h, event: e, places: map[string]*place{}, processes: map[string]*process{}}
	for _, entry := range e.Entries {
		if entry.Spec != "" && e.InProcess {
			continue
		}
		p, err := h.roster.engage(entry.Name, e, entry.Spec != "")
		if err != nil {
			f.disband()
			return nil, err
		}
		f.places[entry.Name] = p
	}
	return f, nil
}

// enter notes the event's number, which it gets after its bots are engaged.
func (f *field) enter(event int64) {
	f.event.ID = event
	for name := range f.places {
		f.host.roster.enter(name, event)
	}
}

// launch starts the bots that have a spec.
func (f *field) launch() error {
	for _, entry := range f.event.Entries {
		p := f.places[entry.Name]
		if p == nil || entry.Spec == "" {
			continue
		}
		process, err := start(f.host.launch(Launch{
			Spec:  entry.Spec,
			Name:  entry.Name,
			Token: p.token,
			URL:   f.host.botURL,
			Slots: min(f.event.Concurrency, protocol.MaxSlots),
		}))
		if err != nil {
			return fmt.Errorf("bot %q: %w", entry.Name, err)
		}
		f.processes[entry.Name] = process
	}
	return nil
}

// watch ends the event with fail when a started bot's process exits: that is
// our failure, not the bot's.
func (f *field) watch(ctx context.Context, fail context.CancelCauseFunc) {
	for name, p := range f.processes {
		go func() {
			select {
			case <-p.exited:
				fail(fmt.Errorf("bot %q: its process ended: %w", name, p.failure()))
			case <-ctx.Done():
			}
		}()
	}
}

// assemble waits until all bots are connected, no longer than the grace period.
func (f *field) assemble(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(f.event.Grace, 10*time.Second))
	defer cancel()
	var absent []string
	for name, p := range f.places {
		if p.session.Wait(ctx) == nil {
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
	for _, entry := range f.event.Entries {
		if p := f.places[entry.Name]; p != nil {
			bots = append(bots, remoteBot{entry.Name, p.session})
			continue
		}
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			return nil, fmt.Errorf("bot %q: %w", entry.Name, err)
		}
		bots = append(bots, &tournament.LocalBot{
			ID:     tournament.Identity{Name: entry.Name, Spec: entry.Spec, Version: f.host.version},
			Games:  f.event.Concurrency,
			New:    spec.Within(f.event.Settings.Budget).New,
			Margin: localMargin,
		})
	}
	return bots, nil
}

// disband lets the bots go: those that were started end, the others are free
// for another event.
func (f *field) disband() {
	patience := time.After(goodbyePatience)
	var stops sync.WaitGroup
	for name, p := range f.processes {
		f.places[name].session.Goodbye("the event is over", false)
		if !f.places[name].session.Connected() {
			_ = p.command.Process.Kill() // nobody has heard the goodbye; it may have exited
		}
		stops.Go(func() { p.stop(patience) })
	}
	stops.Wait()
	for name := range f.places {
		f.host.roster.dismiss(name)
	}
}
