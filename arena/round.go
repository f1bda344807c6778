package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"versus2048/players"
)

// Round is work for the workers of an arena's farm besides matches: batches of one kind, all with one bot.
type Round struct {
	Kind    string            `json:"kind"`    // regret or selfplay: see docs/FARM.md
	Bot     string            `json:"bot"`     // its spec
	Batches []json.RawMessage `json:"batches"` // the settings of each
}

// RoundNews is how a round stands, after each result and whenever that changes.
type RoundNews struct {
	Done    int `json:"done"`
	Total   int `json:"total"`
	Workers int `json:"workers"` // that are there
	// Batch is the number of a batch, from 0, and Result what a worker has found; without a result Batch has no meaning. If the
	// worker is set aside later another result follows, which counts.
	Batch  int             `json:"batch"`
	Result json.RawMessage `json:"result,omitempty"`
	Over   bool            `json:"over,omitempty"`   // the last line
	Failed string          `json:"failed,omitempty"` // why the round has ended before all batches were done
}

// The bounds of a round.
const (
	maxRoundBytes = 64 << 20
	maxBatches    = 100_000
)

// roundBeat is how often those who follow a round hear of it at least.
const roundBeat = 10 * time.Second

// doRound answers with the news of a round, line by line. It ends with the request, and when the arena shuts down.
func (a *api) doRound(w http.ResponseWriter, r *http.Request) error {
	var round Round
	if err := readLargeJSON(w, r, maxRoundBytes, &round); err != nil {
		return &RequestError{fmt.Errorf("the round: %w", err)}
	}
	round.Bot = players.InFolder(round.Bot, a.host.allowed.relativeTo())
	if err := a.host.checkRound(round); err != nil {
		return &RequestError{err}
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(a.host.life, stop)()
	w.Header().Set("Content-Type", "application/x-ndjson")
	t := &teller{lines: json.NewEncoder(w), flush: http.NewResponseController(w).Flush, farm: a.host.farm, gone: stop}
	t.now.Total = len(round.Batches)
	t.tell(nil)
	var beats sync.WaitGroup
	beats.Go(func() { t.beat(ctx) })
	err := a.host.farm.Do(ctx, round, t.took)
	interrupted := ctx.Err() != nil
	stop()
	beats.Wait()
	if interrupted {
		return nil // without a last line: whoever follows asks for the rest again
	}
	t.tell(func(n *RoundNews) {
		n.Over = true
		if err != nil {
			n.Failed = err.Error()
		}
	})
	return nil
}

// checkRound returns why a round cannot be done, nil if it can.
func (h *host) checkRound(r Round) error {
	switch n := len(r.Batches); {
	case h.farm == nil:
		return errors.New("this arena has no workers: start it with arena serve --farm")
	case n < 1 || n > maxBatches:
		return fmt.Errorf("%d batches: want 1 to %d", n, maxBatches)
	}
	return cmp.Or(h.allowed.check(r.Bot), h.farm.Validate(r))
}

// teller tells a client how a round stands.
type teller struct {
	lines *json.Encoder
	flush func() error
	farm  Farm
	gone  func() // is called when the client has left

	mu   sync.Mutex
	now  RoundNews
	done map[int]bool
}

// took tells of a result.
func (t *teller) took(batch int, result json.RawMessage) {
	t.tell(func(n *RoundNews) {
		if t.done == nil {
			t.done = map[int]bool{}
		}
		t.done[batch] = true
		n.Done, n.Batch, n.Result = len(t.done), batch, result
	})
}

// tell writes a line, which change changes first.
func (t *teller) tell(change func(*RoundNews)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Batch, t.now.Result, t.now.Workers = 0, nil, present(t.farm)
	if change != nil {
		change(&t.now)
	}
	if err := t.lines.Encode(t.now); err != nil || t.flush() != nil {
		t.gone()
	}
}

// beat tells when workers come and go, and once in a while that the round goes on.
func (t *teller) beat(ctx context.Context) {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	last := time.Now()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		t.mu.Lock()
		changed := t.now.Workers != present(t.farm)
		t.mu.Unlock()
		if changed || time.Since(last) >= roundBeat {
			last = time.Now()
			t.tell(nil)
		}
	}
}

// present returns how many workers are there that are not set aside.
func present(f Farm) (n int) {
	for _, w := range f.Workers() {
		if w.Aside == "" {
			n++
		}
	}
	return n
}

// Do has the workers of the arena do a round, and calls show with all news of it. It returns ErrLost if the arena stops
// answering: then the batches without a result can be asked for in another round.
func (c *Client) Do(ctx context.Context, r Round, show func(RoundNews)) error {
	return readLines(ctx, c, http.MethodPost, "/api/rounds", r, func(n RoundNews) (bool, error) {
		if n.Failed != "" {
			return true, &RequestError{errors.New(n.Failed)}
		}
		show(n)
		return n.Over, nil
	})
}
