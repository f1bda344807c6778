package server

import (
	"context"
	"errors"
	"slices"

	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// Agenda keeps the events that an arena is to play by itself, also after a restart. results.Store has these methods.
type Agenda interface {
	// Plan records a new event with its item, and other items of recorded events. It returns the item with
	// its Event, Place and Series filled in.
	Plan(ctx context.Context, e tournament.Event, item agenda.Item, others ...agenda.Item) (agenda.Item, error)
	// Note records the item of a recorded event in place of an earlier item. An item without a place gets the last place.
	Note(ctx context.Context, item agenda.Item) (agenda.Item, error)
	// Drop takes an event off the agenda, if it is there.
	Drop(ctx context.Context, event int64) error
	// Agenda returns all items, by their places.
	Agenda(ctx context.Context) ([]agenda.Item, error)
}

// noAgenda is the agenda of an arena that plays nothing by itself.
type noAgenda struct{ store Store }

// Plan records the event alone. The returned item has no place, so that its later changes are not recorded.
func (n noAgenda) Plan(ctx context.Context, e tournament.Event, _ agenda.Item, _ ...agenda.Item) (agenda.Item, error) {
	id, err := n.store.CreateEvent(ctx, e)
	return agenda.Item{Event: id}, err
}

func (noAgenda) Note(_ context.Context, item agenda.Item) (agenda.Item, error) { return item, nil }

func (noAgenda) Drop(context.Context, int64) error { return nil }

func (noAgenda) Agenda(context.Context) ([]agenda.Item, error) { return nil, nil }

// planned returns the run's item of the agenda.
func (r *run) planned() agenda.Item {
	r.noting.Lock()
	defer r.noting.Unlock()
	return r.item
}

// note changes the item, unless change returns an error, and records it if the event is on the agenda.
func (r *run) note(ctx context.Context, change func(*agenda.Item) error) error {
	r.noting.Lock()
	defer r.noting.Unlock()
	item := r.item
	if err := change(&item); err != nil {
		return err
	}
	r.item = item
	if item.Place == 0 {
		return nil
	}
	_, err := r.host.agenda.Note(context.WithoutCancel(ctx), item)
	return err
}

// giveUp notes that neither the event nor the rest of its series is to be played any more.
func (r *run) giveUp(ctx context.Context) {
	r.host.complain(r.event.ID, r.note(ctx, unwanted))
}

// unwanted marks an item: neither its event nor the rest of its series is to be played any more.
func unwanted(i *agenda.Item) error {
	i.Wanted, i.Every = agenda.Stopped, agenda.Every{}
	return nil
}

// errChanged means that somebody has changed the item of an event while the queue was working on it.
var errChanged = errors.New("it was changed at this moment")

// replace records an item in place of the planned one. If the plan has changed meanwhile it returns errChanged.
func (r *run) replace(ctx context.Context, planned, item agenda.Item) error {
	return r.note(ctx, func(i *agenda.Item) error {
		if *i != planned {
			return errChanged
		}
		*i = item
		return nil
	})
}

// change is like replace, but calls record to record the item. If record fails, the run keeps its item.
func (r *run) change(planned, item agenda.Item, record func() error) error {
	r.noting.Lock()
	defer r.noting.Unlock()
	if r.item != planned {
		return errChanged
	}
	err := record()
	if err == nil {
		r.item = item
	}
	return err
}

// takeUp fills the queue from the agenda when the arena opens: with events that have not begun, and with events that a
// stop or a crash of the arena has interrupted.
func (q *queue) takeUp(ctx context.Context) {
	items, err := q.host.agenda.Agenda(ctx)
	if err != nil {
		q.host.log.Error("the arena begins no event by itself: its agenda cannot be read", "error", err)
	}
	for _, item := range items {
		if item.Wanted != agenda.Running || ctx.Err() != nil {
			continue
		}
		if err := q.takeUpItem(ctx, item); err != nil {
			q.host.log.Error("the event is not put in the queue", "event", item.Event, "error", err)
		}
	}
}

// requeue puts a recorded event back in the queue, such as an interrupted, stopped, canceled or failed one. If the
// event is being played, or waits already, requeue does nothing.
func (q *queue) requeue(ctx context.Context, id int64) error {
	if q.host.runs.current(id) != nil {
		return nil
	}
	item, err := q.itemOf(ctx, id)
	if err != nil {
		return err
	}
	if !item.CarriesSeries() { // an item that carries a series waits for its time
		item = item.Begun()
		item.Wanted, item.Place = agenda.Running, 0
	}
	return q.takeUpItem(ctx, item)
}

// itemOf returns an event's item of the recorded agenda, or a new item if it has none.
func (q *queue) itemOf(ctx context.Context, id int64) (agenda.Item, error) {
	return itemIn(ctx, q.host.agenda.Agenda, id)
}

// itemIn returns an event's item of the agenda that read returns, or a new item if it has none.
func itemIn(ctx context.Context, read func(context.Context) ([]agenda.Item, error), id int64) (agenda.Item, error) {
	items, err := read(ctx)
	if i := slices.IndexFunc(items, func(i agenda.Item) bool { return i.Event == id }); i >= 0 {
		return items[i], err
	}
	return agenda.Item{Event: id}, err
}

// errExtended means that an event may have been given more matches since it was read.
var errExtended = errors.New("it may have more matches now: ask again")

// takeUpItem puts a recorded event in the queue, and records its item if the item has no place. An event without games
// left to play is taken off the agenda instead.
func (q *queue) takeUpItem(ctx context.Context, item agenda.Item) error {
	for {
		before := q.host.extensions.Load()
		recorded, err := q.host.playable(ctx, item.Event)
		if err != nil {
			return err
		}
		recorded.current = func() bool { return q.host.extensions.Load() == before }
		if recorded.board.Over() && recorded.current() {
			return q.host.agenda.Drop(ctx, item.Event)
		}
		if item.Place == 0 {
			if item, err = q.host.agenda.Note(ctx, item); err != nil {
				return err
			}
		}
		if err = q.add(ctx, recorded, item); !errors.Is(err, errExtended) {
			return err
		}
	}
}

// strikeOff notes that neither an event nor the rest of its series is to be played any more, so that a restart does not
// resume it. The parameter otherwise is the error that strikeOff returns if the event is being played, waits in the
// queue, is not on the agenda, or was struck off before.
func (h *host) strikeOff(ctx context.Context, id int64, otherwise error) error {
	return h.runs.unlessPlaying(id, otherwise, func(last *run) error {
		item, err := h.queue.itemOf(ctx, id)
		if err != nil {
			return err
		}
		if item.Place == 0 || item.Wanted == agenda.Stopped {
			return otherwise
		}
		if last != nil && last.planned().Place != 0 { // the arena may be about to resume the event
			return last.note(ctx, unwanted)
		}
		_ = unwanted(&item) // it never fails
		_, err = h.agenda.Note(ctx, item)
		return err
	})
}

// complain logs that a change of the agenda could not be recorded: after a restart the arena will not know the change.
func (h *host) complain(event int64, err error) {
	if err != nil && !errors.Is(err, errChanged) {
		h.log.Error("the agenda could not be recorded", "event", event, "error", err)
	}
}
