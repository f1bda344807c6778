package arena

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"versus2048/tournament"
)

// join lets a bot join a ladder that is being played: one that is connected, one
// to be started (SPEC or NAME=SPEC), or by its name one that has left.
func (h *host) join(ctx context.Context, id int64, bot string) error {
	f, err := h.field(id)
	if err != nil {
		return err
	}
	entry, err := h.newcomer(ctx, id, bot)
	if err != nil {
		return err
	}
	if err := f.engage(entry); err != nil {
		return &RequestError{err}
	}
	if err := f.enlist(ctx, entry); err != nil {
		f.dismiss(entry.Name)
		return &RequestError{err}
	}
	return h.reform(ctx, id)
}

// reform lets the standings of an event follow a change of its bots.
func (h *host) reform(ctx context.Context, id int64) error {
	e, err := h.store.Event(ctx, id)
	if p := h.performance(id); err == nil && p != nil {
		p.feed.board.change(e)
	}
	return err
}

// field is that of an event that is being played.
func (h *host) field(id int64) (*field, error) {
	p := h.performance(id)
	if p == nil || p.field == nil || p.feed.final() {
		return nil, &RequestError{fmt.Errorf("event %d is not being played: resume it first", id)}
	}
	return p.field, nil
}

// newcomer is the entry of a bot that wants to join an event.
func (h *host) newcomer(ctx context.Context, id int64, bot string) (tournament.Entry, error) {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return tournament.Entry{}, &RequestError{err}
	}
	known := func(entry tournament.Entry) bool { return entry.Name == bot }
	if i := slices.IndexFunc(e.Entries, known); i >= 0 {
		if e.Present(bot) {
			return e.Entries[i], &RequestError{fmt.Errorf("bot %q takes part in event %d already", bot, id)}
		}
		return e.Entries[i], nil
	}
	entry, err := newEntry(bot, e, h.roster.connected)
	if err != nil {
		return entry, &RequestError{err}
	}
	return entry, nil
}

// enlist makes a bot that has its place take part.
func (f *field) enlist(ctx context.Context, entry tournament.Entry) error {
	if err := f.start(entry); err != nil {
		return err
	}
	if p := f.place(entry.Name); p != nil {
		waiting, cancel := context.WithTimeout(ctx, max(f.event.Grace, 10*time.Second))
		defer cancel()
		if p.session.Wait(waiting) != nil {
			return fmt.Errorf("bot %q is not connected", entry.Name)
		}
	}
	bot, err := f.bot(entry)
	if err != nil {
		return err
	}
	return f.change(ctx, tournament.LineupChange{Entry: entry, Bot: bot})
}

// change asks the runner for a change, and waits until it is on record.
func (f *field) change(ctx context.Context, c tournament.LineupChange) error {
	reply := make(chan error, 1)
	c.Reply = reply
	select {
	case f.changes <- c:
		return <-reply
	case <-f.playing.Done():
		return errors.New("the event is no longer being played")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave lets a bot leave a ladder that is being played. The bot plays the few
// matches that it was given before; then it is free.
func (h *host) leave(ctx context.Context, id int64, name string) error {
	f, err := h.field(id)
	if err != nil {
		return err
	}
	free := make(chan struct{})
	if err := f.change(ctx, tournament.LineupChange{Entry: tournament.Entry{Name: name}, Free: free}); err != nil {
		return &RequestError{err}
	}
	if err := h.reform(ctx, id); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil // everybody is let go
	}
	h.events.Go(func() {
		select {
		case <-free:
			f.dismiss(name)
		case <-f.playing.Done():
		}
	})
	return nil
}

// dismiss lets one bot go.
func (f *field) dismiss(name string) {
	f.mu.Lock()
	place, process := f.places[name], f.processes[name]
	delete(f.places, name)
	delete(f.processes, name)
	f.mu.Unlock()
	if place == nil {
		return
	}
	if process != nil {
		process.dismiss(place.session)
		process.stop(time.After(goodbyePatience))
	}
	f.host.roster.dismiss(name)
}

// changeLadder lets the bot that a request names join or leave a ladder.
func (s *Server) changeLadder(change func(ctx context.Context, id int64, bot string) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := eventID(r)
		if err != nil {
			return err
		}
		var who struct{ Bot string }
		if err := decode(w, r, &who); err != nil {
			return &RequestError{fmt.Errorf("the bot: %w", err)}
		}
		if err := change(r.Context(), id, who.Bot); err != nil {
			return err
		}
		return answer(w, map[string]int64{"event": id})
	}
}
