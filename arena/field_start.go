package arena

import (
	"fmt"

	"versus2048/protocol"
	"versus2048/tournament"
)

// launch starts the bots that have a spec.
func (f *field) launch() error {
	for _, entry := range f.entries {
		if err := f.start(entry); err != nil {
			return err
		}
	}
	return nil
}

// start starts a bot that has a spec, and a place.
func (f *field) start(entry tournament.Entry) error {
	p := f.place(entry.Name)
	if p == nil || entry.Spec == "" {
		return nil
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
	f.mu.Lock()
	defer f.mu.Unlock()
	f.processes[entry.Name] = process
	go f.watch(entry.Name, process)
	return nil
}

// watch ends the event when a started bot's process exits, unless the bot has
// left: that is our failure, not the bot's.
func (f *field) watch(name string, p *process) {
	select {
	case <-p.exited:
		if f.place(name) != nil {
			f.fail(fmt.Errorf("bot %q: its process ended: %w", name, p.failure()))
		}
	case <-f.playing.Done():
	}
}
