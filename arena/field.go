package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/tournament"
)

// field is the bots of one event, gathered for as long as it is played.
type field struct {
	host      *host
	event     tournament.Event
	places    map[string]*place // of those that play over a socket
	processes map[string]*process
}

// localMargin is what a bot inside our own process has less than its clock.
const localMargin = 10 * time.Millisecond

// processPatience is how long a started bot may take to leave after goodbye.
const processPatience = 3 * time.Second

// gather takes the places of an event's bots and starts those that have a spec.
// The field must be disbanded even after an error.
func (h *host) gather(e tournament.Event) (*field, error) {
	f := &field{host: h, event: e, places: map[string]*place{}, processes: map[string]*process{}}
	for _, entry := range e.Entries {
		if entry.Spec != "" && e.InProcess {
			continue
		}
		p, err := h.roster.engage(entry.Name, e.ID, entry.Spec != "")
		if err != nil {
			return f, err
		}
		f.places[entry.Name] = p
		if entry.Spec == "" {
			continue
		}
		command := h.launch(Launch{Spec: entry.Spec, Name: entry.Name, Token: p.token, URL: h.botURL, Slots: e.Concurrency})
		if f.processes[entry.Name], err = start(command); err != nil {
			delete(f.processes, entry.Name)
			return f, fmt.Errorf("bot %q: %w", entry.Name, err)
		}
	}
	return f, nil
}

// wait waits until all bots are connected, no longer than the grace period.
func (f *field) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(f.event.Grace, 10*time.Second))
	defer cancel()
	var absent []string
	for name, p := range f.places {
		wait := p.session.Wait
		if process := f.processes[name]; process != nil {
			wait = func(ctx context.Context) error { return process.alive(ctx, name, p.session.Wait) }
		}
		err := wait(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			absent = append(absent, name)
		} else if err != nil {
			return err
		}
	}
	if len(absent) > 0 {
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
			New:    spec.New,
			Margin: localMargin,
		})
	}
	return bots, nil
}

// disband lets the bots go: those that were started end, the others are free
// for another event.
func (f *field) disband() {
	for name := range f.processes {
		f.places[name].session.Goodbye("the event is over", false)
	}
	for _, p := range f.processes {
		p.stop(processPatience)
	}
	for name := range f.places {
		f.host.roster.dismiss(name)
	}
}
