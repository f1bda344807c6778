package farm

import (
	"context"
	"encoding/json"
	"fmt"

	"versus2048/players"
	"versus2048/tournament"
)

// Round is work for workers: batches of one kind, all with one bot.
type Round struct {
	Kind    Kind
	Bot     string            // the bot's spec, with the paths of this machine
	Batches []json.RawMessage // the settings of each batch
}

func (r Round) entries() []tournament.Entry { return order{Bot: r.Bot}.event().Entries }

// Validate returns an error for a round that no worker can do. It does not look at the batches: only workers that know
// the kind can judge them.
func (r Round) Validate() error {
	if r.Kind == Match || !namePattern.MatchString(string(r.Kind)) {
		return fmt.Errorf("kind %.50q: want the kind of a batch, 1 to 32 letters, digits, - and _", r.Kind)
	}
	_, err := players.Parse(r.Bot)
	return err
}

// Do lets workers do the batches of a round, as many at once as the workers have room for. Validate must have accepted
// the round. Do calls took with each result, the number of the batch and the worker, one call at a time. If a worker is
// set aside before the round is over, others do its batches again, and Do calls took with the new results. If ctx ends
// before the round is over, Do returns tournament.ErrInterrupted. If a batch fails on several workers, Do returns an
// error.
func (c *Coordinator) Do(ctx context.Context, r Round, took func(batch int, worker string, result json.RawMessage)) error {
	holder := c.Executor() // holds the bot's files, which do not change during the round
	defer holder.Close()
	files, err := holder.stock(ctx, r.entries())
	if ctx.Err() != nil {
		return tournament.ErrInterrupted
	}
	if err != nil {
		return err
	}
	t := &turn{farm: c, round: &r, files: files, took: took, doers: make([]string, len(r.Batches))}
	for {
		left := t.left()
		if len(left) == 0 {
			return nil
		}
		if err := t.play(ctx, left); err != nil {
			return err
		}
	}
}

// turn is the state of a round that is being done.
type turn struct {
	farm  *Coordinator
	round *Round
	files stock
	took  func(batch int, worker string, result json.RawMessage)
	doers []string // the worker of each result, "" for none
}

// left returns the batches that are to be done: they have no result, or the worker of the result was set aside.
func (t *turn) left() (numbers []int) {
	for i, worker := range t.doers {
		if worker == "" || t.farm.isAside(worker) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// play lets workers do batches until all are done, or until a worker that has done some of them is set aside.
func (t *turn) play(ctx context.Context, left []int) error {
	executor := t.farm.Executor()
	defer executor.Close()
	ctx, stop := context.WithCancel(ctx)
	over := make(chan ended, len(left))
	busy := 0
	defer func() {
		stop()
		for ; busy > 0; busy-- {
			<-over
		}
	}()
	for len(left) > 0 || busy > 0 {
		for ; len(left) > 0 && busy < executor.Room(); busy++ {
			t.start(ctx, left[0], over)
			left = left[1:]
		}
		select {
		case e := <-over:
			busy--
			if ctx.Err() != nil {
				return tournament.ErrInterrupted
			}
			if e.err != nil {
				return e.err
			}
			t.take(executor, e.batch)
		case <-executor.Changed():
		case <-executor.broken:
			return nil
		case <-ctx.Done():
			return tournament.ErrInterrupted
		}
	}
	return nil
}

// ended is a batch that is over.
type ended struct {
	batch *batch
	err   error
}

func (t *turn) start(ctx context.Context, number int, to chan<- ended) {
	b := &batch{assignment: assignment{farm: t.farm}, round: t.round, number: number, files: t.files}
	go func() { to <- ended{b, b.do(ctx)} }()
}

func (t *turn) take(v *Executor, b *batch) {
	v.meets(b.worker)
	t.doers[b.number] = b.worker
	t.took(b.number, b.worker, b.result)
}

// batchBot is the name of the bot of a batch.
const batchBot = "bot"

// mostFaults is the number of workers that must fail in a batch before the batch fails: then the settings or the bot
// are to blame, not a worker. If no other worker is left, mostFaults failures of fewer workers are enough.
const mostFaults = 3

// batch is the task to do one batch of a round. One goroutine uses it. It implements taskWork.
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

// fail counts a fault. A worker may report the fault again because the answer was lost: fail then counts it once.
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
	if len(b.failed) >= mostFaults || b.faults >= mostFaults && !b.farm.hasOther(b.excluded, b.failed, true) {
		b.failure = fmt.Errorf("batch %d has failed %d times on %d workers, last on worker %q: %s", b.number, b.faults, len(b.failed), b.worker, cut(o.Fault, mostText))
	}
}
