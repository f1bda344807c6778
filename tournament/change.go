package tournament

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Change is a bot that joins or leaves a ladder while it is played.
type LineupChange struct {
	Entry Entry
	Bot   Bot // nil for one that leaves
	// Reply is told when the change is on record, or why it can't be made. It has
	// room for that.
	Reply chan<- error
	// Free is closed when a bot that has left has played the matches that it was
	// given before. It is not closed if the run ends first. It may be nil for one
	// that joins.
	Free chan<- struct{}
}

// waits tells whether the event goes on while nothing is played.
func (r *Runner) waits(s *schedule) bool {
	return r.Changes != nil && s.format.Total(s.decided).Open() || s.paused && len(s.queue) > 0
}

// idle ends the wait for a change when the run is to stop; it does not end the
// wait for games.
func (r *Runner) idle(ctx context.Context, s *schedule) <-chan struct{} {
	if s.running > 0 {
		return nil
	}
	return ctx.Done()
}

// change makes a change, if it can be made, and returns the bots with it.
func (r *Runner) change(ctx context.Context, s *schedule, bots map[string]Bot, c LineupChange) map[string]Bot {
	if ctx.Err() != nil {
		c.Reply <- ErrInterrupted
		return bots
	}
	e, err := s.changed(c)
	if err == nil {
		err = r.Journal.Attend(context.WithoutCancel(ctx), c.Entry, e.staysOf(c.Entry.Name))
	}
	if err == nil {
		if c.Bot != nil {
			bots = maps.Clone(bots) // games that are played read the old one
			bots[c.Entry.Name] = c.Bot
		} else {
			s.leaving[c.Entry.Name] = c.Free
		}
		s.event, s.format = e, r.Format(e)
		s.refill()
		r.progress(s)
	}
	c.Reply <- err
	return bots
}

// changed is the event with a change. It holds from the first match on that has
// not been listed yet, so that all that are stay as they are.
func (s *schedule) changed(c LineupChange) (Event, error) {
	e := s.event
	name := c.Entry.Name
	known := slices.ContainsFunc(e.Entries, func(o Entry) bool { return o.Name == name })
	switch joins := c.Bot != nil; {
	case !s.format.Total(s.decided).Joinable:
		return e, fmt.Errorf("event %d is not a ladder: nobody joins or leaves it", e.ID)
	case joins && known && e.Present(name):
		return e, fmt.Errorf("bot %q takes part in event %d already", name, e.ID)
	case !joins && (!known || !e.Present(name)):
		return e, fmt.Errorf("bot %q does not take part in event %d", name, e.ID)
	case joins && !known:
		e.Entries = append(slices.Clip(e.Entries), c.Entry)
		fallthrough
	case joins:
		e.Stays = append(slices.Clip(e.Stays), Stay{Name: name, From: s.listed() + 1, To: Staying})
	default:
		e.leave(name, s.listed())
	}
	return e, e.Validate()
}

// listed is the highest number of a match that was listed.
func (s *schedule) listed() int {
	last := 0
	for key := range s.begun {
		last = max(last, key.match)
	}
	for i := range s.queue {
		last = max(last, s.queue[i].Match)
	}
	return last
}

// release lets go of the bots that have left and have nothing to play any more.
func (s *schedule) release() {
	for name, free := range s.leaving {
		waiting := slices.ContainsFunc(s.queue, func(g Game) bool { return g.First == name || g.Second == name })
		if !waiting && s.busy[name] == 0 {
			close(free)
			delete(s.leaving, name)
		}
	}
}
