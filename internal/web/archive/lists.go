package archive

import (
	"context"
	"fmt"
	"sync"
	"time"

	"versus2048/results"
	"versus2048/tournament/standing"
)

// Lists keeps the standing lists of a database in memory. Its methods may be called from several goroutines.
type Lists struct {
	store *results.Reader

	reading sync.Mutex // held while the database is read
	mu      sync.Mutex
	kept    *standing.Collector // nil before the first time
	of      results.Finished    // the games that had finished before the database was read
	read    time.Time
	took    time.Duration // the time that the reading took
	lists   map[question]standing.List
}

// question is a call of List, as a key for its answer.
type question struct {
	conditions string
	options    standing.Options
}

// NewLists returns a keeper of the standing lists of a database.
func NewLists(store *results.Reader) *Lists { return &Lists{store: store} }

// Reading a large database takes seconds, and games may end all the time. After a reading that took longer than
// briefly, the next one waits for patience times as long.
const (
	briefly  = 200 * time.Millisecond
	patience = 20
)

// Collector returns all rated matches. It reads the database again if games have ended or results were taken back since
// the last reading. After a long reading it does without newer games for a while, so that readings take at most about a
// twentieth of the time. It leaves out results at once after they were taken back.
func (k *Lists) Collector(ctx context.Context) (*standing.Collector, error) {
	now, err := k.store.Finished(ctx)
	if err != nil {
		return nil, fmt.Errorf("the standing lists: %w", err)
	}
	if kept := k.current(now); kept != nil {
		return kept, nil
	}
	k.reading.Lock()
	defer k.reading.Unlock()
	if kept := k.current(now); kept != nil {
		return kept, nil // another caller has read it meanwhile
	}
	began := time.Now()
	collected, err := CollectLists(ctx, k.store)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept, k.of, k.read, k.took = collected, now, time.Now(), time.Since(began)
	k.lists = map[question]standing.List{}
	return collected, nil
}

// List rates the bots under some conditions: see [standing.Collector.List]. It remembers the list until the database is
// read again. Callers must not change the list.
func (k *Lists) List(ctx context.Context, conditions string, o standing.Options) (standing.List, error) {
	collected, err := k.Collector(ctx)
	if err != nil {
		return standing.List{}, err
	}
	asked := question{conditions, o}
	k.mu.Lock()
	known, ok := k.lists[asked]
	k.mu.Unlock()
	if ok {
		return known, nil
	}
	l, err := collected.List(conditions, o)
	if err != nil {
		return l, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == collected {
		k.lists[asked] = l
	}
	return l, nil
}

// current returns the kept matches, or nil if the database has to be read again. If results were taken back since the
// last reading, the database has to be read at once, so that no list shows them any longer.
func (k *Lists) current(now results.Finished) *standing.Collector {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || k.of == now {
		return k.kept
	}
	if k.of.Reopened == now.Reopened && k.took > briefly && time.Since(k.read) < patience*k.took {
		return k.kept
	}
	return nil
}

// CollectLists reads the matches of all events of a database, in the order of the events.
func CollectLists(ctx context.Context, store *results.Reader) (*standing.Collector, error) {
	ids, err := store.EventsAfter(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("the standing lists: %w", err)
	}
	collected := standing.NewCollector()
	for _, id := range ids {
		e, err := store.Event(ctx, id)
		if err == nil {
			err = store.Rate(ctx, e, collected)
		}
		if err != nil {
			return nil, fmt.Errorf("the standing lists: event %d: %w", id, err)
		}
	}
	return collected, nil
}
