package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"versus2048/players"
)

// batchBot is what the bot of a batch is called.
const batchBot = "bot"

// mostFaults is how many workers may fail in a batch before it fails: then the settings or the bot are to blame, not a
// worker. Where there are fewer workers it is how often they may.
const mostFaults = 3

// batch is a batch that a worker does. One goroutine uses it.
type batch struct {
	assignment
	round    *Round
	number   int // in the round
	settings json.RawMessage
	files    stock           // of the bot
	result   json.RawMessage // nil until it is done
	faults   int             // attempts in which it could not be done
	failed   map[string]bool // the workers of these
	faulty   bool            // the attempt that has begun last is one of them
	failure  error
}

// do gives out the batch until it is done.
func (b *batch) do(ctx context.Context) error {
	if err := b.await(ctx, plainLane, b.round.Kind, nil, b); err != nil {
		return err
	}
	return b.failure
}

// over implements deed.
func (b *batch) over() bool { return b.failure != nil || b.result != nil }

// begin implements deed.
func (b *batch) begin() any {
	b.faulty = false
	b.replenish(b.files)
	return order{Bot: b.round.Bot, Settings: b.settings, Files: b.files, Speed: b.farm.speed}
}

// report implements deed.
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
	if err := b.round.chore.Check(b.settings, o.Result); err != nil {
		b.farm.setAside(map[string]string{b.worker: fmt.Sprintf("batch %d of %s: %v", b.number, b.round.Kind, err)})
		return receipt{Refused: others}
	}
	b.result = o.Result
	return receipt{Ended: true}
}

// fail takes note of a fault, once if a worker tells of it again since the answer was lost.
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
	if len(b.failed) >= mostFaults || b.faults >= mostFaults && !b.farm.hasOther(b.not, b.failed) {
		b.failure = fmt.Errorf("batch %d has failed %d times on %d workers, last on worker %q: %s", b.number, b.faults, len(b.failed), b.worker, cut(o.Fault, mostText))
	}
}

// consider checks a batch that a worker has done, if it can be checked and is in the sample.
func (b *batch) consider() {
	if b.alone() == "" {
		return
	}
	c, key := b.farm.checks, fmt.Sprint(b.round.Kind, b.round.Bot, string(b.settings))
	repeatable := func() bool {
		spec, err := players.ParseClosed(b.round.Bot)
		return err == nil && spec.Repeatable()
	}
	c.considerBatch(key, b.worker, b.files, repeatable, func() error {
		return settle(c, comparison[json.RawMessage]{
			worker: b.worker, first: b.result, again: b.again, here: b.here, difference: b.difference,
		})
	})
}

// again has the batch done by another worker.
func (b *batch) again(ctx context.Context) (json.RawMessage, string, error) {
	other := &batch{assignment: assignment{farm: b.farm, not: b.worker}, round: b.round, number: b.number, settings: b.settings, files: b.files}
	err := other.do(ctx)
	return other.result, other.worker, err // that one has done it whole, whoever has begun it before
}

// here does the batch in this process.
func (b *batch) here(ctx context.Context) (json.RawMessage, error) {
	if err := b.farm.checks.unchanged(ctx, b.round.entries(), b.files); err != nil {
		return nil, err
	}
	bot, err := players.Parse(b.round.Bot)
	if err != nil {
		return nil, err
	}
	return b.round.chore.Do(ctx, bot, b.settings)
}

// difference says how results differ, "" if they do not.
func (b *batch) difference(x, y json.RawMessage) string {
	if bytes.Equal(x, y) {
		return ""
	}
	return fmt.Sprintf("batch %d of %s", b.number, b.round.Kind)
}
