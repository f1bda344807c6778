package farm

import (
	"context"
	"encoding/json"
	"fmt"
)

// batchBot is the name of the bot of a batch.
const batchBot = "bot"

// mostFaults is how many workers may fail in a batch before the batch fails: then the settings or the bot are
// to blame, not a worker. If there are fewer workers, it is how often they may fail.
const mostFaults = 3

// batch is a batch that a worker does. One goroutine uses it. It implements taskWork.
type batch struct {
	assignment
	round   *Round
	number  int             // in the round
	files   stock           // of the bot
	result  json.RawMessage // nil until it is done
	faults  int             // failed attempts
	failed  map[string]bool // the workers of the failed attempts
	faulty  bool            // the last attempt has failed
	failure error
}

// do gives out the batch until it is done.
func (b *batch) do(ctx context.Context) error {
	if err := b.await(ctx, batchLane, b.round.Kind, nil, b); err != nil {
		return err
	}
	return b.failure
}

func (b *batch) over() bool { return b.failure != nil || b.result != nil }

func (b *batch) begin() any {
	b.faulty = false
	b.replenish(b.files)
	return order{Bot: b.round.Bot, Settings: b.round.Batches[b.number], Files: b.files, Speed: b.farm.speed}
}

func (b *batch) report(data []byte) receipt {
	var o outcome
	switch err := json.Unmarshal(data, &o); {
	case err != nil:
		return receipt{Refused: gone}
	case b.farm.isAside(b.worker):
		return receipt{Refused: others}
	case o.Fault != "":
		b.fail(o)
		return receipt{}
	case o.Result == nil:
		return receipt{}
	}
	b.result = o.Result
	return receipt{Ended: true}
}

// fail counts a fault, only once if a worker reports it again because the answer was lost.
func (b *batch) fail(o outcome) {
	if b.faulty {
		return
	}
	b.faulty = true
	b.faults++
	if b.failed == nil {
		b.failed = map[string]bool{}
	}
	b.failed[b.worker] = true
	if len(b.failed) >= mostFaults || b.faults >= mostFaults && !b.farm.hasOther(b.not, b.failed, true) {
		b.failure = fmt.Errorf("batch %d has failed %d times on %d workers, last on worker %q: %s", b.number, b.faults, len(b.failed), b.worker, cut(o.Fault, mostText))
	}
}
