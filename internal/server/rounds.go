package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Round is work other than matches for the workers of an arena's farm: batches of one kind, all with one bot.
type Round struct {
	Kind    string            `json:"kind"`                 // the kind of work; only workers understand kinds and batches
	Bot     string            `json:"bot"`                  // its spec
	Batches []json.RawMessage `json:"batches" schema:"any"` // the settings of each batch
}

// RoundNews is a report on the state of a round. There is one at the beginning and at the end, one after each result,
// one when the number of workers changes, and one at least every ten seconds.
type RoundNews struct {
	Done    int `json:"done"`
	Total   int `json:"total"`
	Workers int `json:"workers"` // the workers that are present, do batches and are not set aside
	// Result is the result of a batch that a worker has found, and Batch the number of this batch, from 0. Without a
	// Result Batch has no meaning. If the worker is set aside later, another result follows and replaces this one.
	Batch  int             `json:"batch"`
	Result json.RawMessage `json:"result,omitempty" schema:"any"`
	Worker string          `json:"worker,omitempty"` // the worker that found the result
	Over   bool            `json:"over,omitempty"`   // the last line
	Failed string          `json:"failed,omitempty"` // why the round has ended before all batches were done
}

// MostRoundBatches is the largest number of batches in a round.
const MostRoundBatches = 100_000

// Validate returns an error for a number of batches that is out of range.
func (r Round) Validate() error {
	if n := len(r.Batches); n < 1 || n > MostRoundBatches {
		return fmt.Errorf("%d batches: want 1 to %d", n, MostRoundBatches)
	}
	return nil
}

// RoundFarm does rounds.
type RoundFarm interface {
	// Validate returns an error for a round that no worker can do. The caller has checked that its bot may be started.
	Validate(r Round) error
	// Do lets workers do the batches of a round that Validate has accepted. It calls took with each result, the number
	// of its batch and the name of its worker, one call at a time. A batch may get a second result, which replaces the
	// first.
	Do(ctx context.Context, r Round, took func(batch int, worker string, result json.RawMessage)) error
	// Present returns the number of workers that do batches and are not set aside.
	Present() int
	// Follow returns a channel that receives a value when workers come, go or are set aside, until leave is called.
	Follow() (changed <-chan struct{}, leave func())
}

// roundInterval is the longest time between two lines of a round.
const roundInterval = 10 * time.Second

// ServeRound lets a farm do a round, and answers with the news of the round, line by line. If ctx ends before the round
// does, there is no line with Over: then the client asks again, for the rest of the batches.
func ServeRound(ctx context.Context, w http.ResponseWriter, f RoundFarm, r Round) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w.Header().Set("Content-Type", linesMedia)
	t := &teller{lines: json.NewEncoder(w), flush: http.NewResponseController(w).Flush, farm: f, gone: stop, done: map[int]bool{}}
	t.now.Total = len(r.Batches)
	changed, leave := f.Follow()
	defer leave()
	t.tell(nil)
	var beats sync.WaitGroup
	beats.Go(func() { t.beat(ctx, changed) })
	err := f.Do(ctx, r, t.took)
	interrupted := ctx.Err() != nil
	stop()
	beats.Wait()
	if interrupted {
		return
	}
	t.tell(func(n *RoundNews) {
		n.Over = true
		if err != nil {
			n.Failed = err.Error()
		}
	})
}

// teller sends the progress of a round to a client.
type teller struct {
	lines *json.Encoder
	flush func() error
	farm  RoundFarm
	gone  func() // is called when the client has left

	mu   sync.Mutex
	now  RoundNews
	done map[int]bool
}

// took reports a result.
func (t *teller) took(batch int, worker string, result json.RawMessage) {
	t.tell(func(n *RoundNews) {
		t.done[batch] = true
		n.Done, n.Batch, n.Worker, n.Result = len(t.done), batch, worker, result
	})
}

// tell changes the news with change, if that is not nil, and writes them as a line.
func (t *teller) tell(change func(*RoundNews)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Batch, t.now.Result, t.now.Worker, t.now.Workers = 0, nil, "", t.farm.Present()
	if change != nil {
		change(&t.now)
	}
	if err := t.lines.Encode(t.now); err != nil || t.flush() != nil {
		t.gone()
	}
}

// beat writes a line when the number of workers changes, and after a roundInterval without such a line.
func (t *teller) beat(ctx context.Context, changed <-chan struct{}) {
	silence := time.NewTicker(roundInterval)
	defer silence.Stop()
	for {
		select {
		case <-changed:
			if !t.outdated() {
				continue
			}
			silence.Reset(roundInterval)
		case <-silence.C:
		case <-ctx.Done():
			return
		}
		t.tell(nil)
	}
}

// outdated reports whether the number of workers has changed since the last line.
func (t *teller) outdated() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now.Workers != t.farm.Present()
}
