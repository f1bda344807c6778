package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// cards is the Coordinator's view of the bucket with the workers' cards. A card that its worker does not renew within
// the lease leaves the bucket.
type cards struct {
	js    jetstream.JetStream
	name  Name
	lease time.Duration

	mu      sync.Mutex
	watcher jetstream.KeyWatcher
	all     map[string]Card        // by worker
	room    int                    // the sum of their Games, kept because each match that begins asks for this sum
	told    map[chan struct{}]bool // the channels of the followers
}

// beatsPerLease is the number of times within a lease that a worker renews its card and the leases of its tasks.
const beatsPerLease = 4

// The memory for cards in the arena and in NATS is bounded, even if somebody with a worker's token writes false cards.
const (
	mostCards   = 10_000
	longestCard = 8 << 10               // bytes: a name, and the reason why it gets no files
	allCards    = mostCards * (1 << 10) // bytes: a card has some hundred
)

// openCards creates the bucket if it is not there, and watches it: cards of an earlier arena expire with their lease.
func openCards(ctx context.Context, js jetstream.JetStream, name Name, lease time.Duration) (*cards, error) {
	c := &cards{js: js, name: name, lease: lease, all: map[string]Card{}, told: map[chan struct{}]bool{}}
	return c, c.open(ctx)
}

// open creates the bucket and watches it, from its beginning.
func (c *cards) open(ctx context.Context) error {
	bucket, err := c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: c.name.workers(), Description: "the workers", TTL: c.lease, LimitMarkerTTL: max(c.lease, time.Second), Storage: jetstream.MemoryStorage,
		MaxValueSize: longestCard, MaxBytes: allCards,
	})
	if err != nil {
		return err
	}
	watcher, err := bucket.WatchAll(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	c.close() // ends the watch of the bucket that was lost
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watcher, c.room = watcher, 0
	clear(c.all)
	c.tell()
	go c.watch(watcher)
	return nil
}

// mend opens the bucket again if NATS has lost it.
func (c *cards) mend(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	_, err := c.js.KeyValue(ctx, c.name.workers())
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		err = c.open(ctx)
	}
	return err
}

// watch follows the bucket until close is called, or the bucket is opened again.
func (c *cards) watch(w jetstream.KeyWatcher) {
	for entry := range w.Updates() {
		if entry != nil { // nil: the cards that were there before have come
			c.take(w, entry)
		}
	}
}

// take takes an entry of the bucket, unless the bucket has been opened again: then the entry is from the lost one.
func (c *cards) take(w jetstream.KeyWatcher, entry jetstream.KeyValueEntry) {
	var card Card
	put := entry.Operation() == jetstream.KeyValuePut
	if put && (json.Unmarshal(entry.Value(), &card) != nil || card.Worker != entry.Key() || ValidateWorker(card.Worker) != nil) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case w != c.watcher:
	case put:
		c.set(card.bounded())
	default:
		c.remove(entry.Key())
	}
}

// set takes a card, with bounded values. If there are too many cards, set leaves the card out until another card has
// gone: each worker keeps writing its card. The caller holds the lock, as for remove and tell.
func (c *cards) set(card Card) {
	before, known := c.all[card.Worker]
	if !known && len(c.all) >= mostCards {
		return
	}
	c.all[card.Worker] = card
	if card.Games != before.Games || card.Batches != before.Batches {
		c.room += card.Games - before.Games
		c.tell()
	}
}

func (c *cards) remove(worker string) {
	c.room -= c.all[worker].Games
	delete(c.all, worker)
	c.tell()
}

// tell announces that the workers have changed.
func (c *cards) tell() {
	for told := range c.told {
		select {
		case told <- struct{}{}:
		default:
		}
	}
}

// announce tells the followers that workers have changed, although their cards have not.
func (c *cards) announce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell()
}

// follow returns a channel that receives a value when workers come, go, are set aside or change their Games or Batches,
// until leave is called.
func (c *cards) follow() (changed <-chan struct{}, leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	told := make(chan struct{}, 1)
	c.told[told] = true
	return told, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.told, told)
	}
}

// mostRoom is the largest sum of the cards' Games that the arena believes: each task that is given out takes memory,
// and somebody with a worker's token may write false cards. An arena reaches its own limits far below mostRoom
// (docs/FARM.md).
const mostRoom = 10_000

// games returns the number of tasks that all workers do at once, at most mostRoom.
func (c *cards) games() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return min(c.room, mostRoom)
}

func (c *cards) list() []Card {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.all), func(a, b Card) int { return cmp.Compare(strings.ToLower(a.Worker), strings.ToLower(b.Worker)) })
}

// close ends the watch.
func (c *cards) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watcher != nil {
		_ = c.watcher.Stop() // fails only when the connection has ended, and the watch with it
	}
}
