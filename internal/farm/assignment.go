package farm

import (
	"context"
	"errors"
	"time"

	"versus2048/tournament"
)

// assignment is a task from when the arena wants it done until it is: whom it is given to, and who may report. One
// goroutine uses it.
type assignment struct {
	farm *Coordinator
	not  string // the worker that is not to do it, "" for none

	task    string // the id of the message that a worker has begun last
	begun   bool   // a worker has begun it
	worker  string // that has begun last
	attempt uint64 // how often one has begun
	workers int    // how many of these were not the one before
	heard   bool   // a request of the worker has come since the last search
}

// deed is what an assignment is about.
type deed interface {
	// begin answers a worker that may begin.
	begin() any
	// report takes a report, and returns the answer.
	report(data []byte) receipt
	// over reports whether the arena has what it wants.
	over() bool
}

// errBroken means that a worker that had a part in something is set aside.
var errBroken = errors.New("a worker is set aside")

// await gives out a task and takes what workers report of it, until it is over. It returns tournament.ErrInterrupted if ctx
// ends before, and errBroken if broken is closed.
func (a *assignment) await(ctx context.Context, l lane, kind Kind, broken <-chan struct{}, d deed) error {
	errand, err := a.farm.publish(ctx, l, kind)
	if ctx.Err() != nil {
		err = tournament.ErrInterrupted
	}
	if errand != nil {
		defer errand.drop()
	}
	if err != nil {
		return err
	}
	look := time.NewTicker(silence * a.farm.config.Lease)
	defer look.Stop()
	for !d.over() {
		select {
		case r := <-errand.requests:
			if err := a.farm.respond(r.Msg, a.take(r, errand.id, d)); err != nil {
				return err
			}
		case message := <-errand.lost:
			if message == errand.sequence {
				a.giveAgain(ctx, errand)
			}
		case <-look.C:
			a.search(ctx, errand)
		case <-broken:
			return errBroken
		case <-ctx.Done():
			return tournament.ErrInterrupted
		}
	}
	return nil
}

// take takes a request about the task with an id, and returns its answer.
func (a *assignment) take(r request, id string, d deed) any {
	refused := taken
	switch {
	case r.task != id:
		refused = gone // the task was given out once more while the request waited
	case r.verb == startVerb:
		refused = a.starts(r)
	case a.has(r.worker):
		refused = ""
	}
	if refused != "" {
		return receipt{Refused: refused}
	}
	a.heard = true
	if r.verb == startVerb {
		return d.begin()
	}
	return d.report(r.Data)
}

// starts lets a worker begin, unless it returns why not. Each message of the stream is delivered once, so one worker can begin it,
// and asks again if it gets no answer.
func (a *assignment) starts(r request) refusal {
	switch {
	case a.has(r.worker):
		return ""
	case a.begun:
		return taken
	case a.farm.isAside(r.worker) || r.worker == a.not || ValidateWorker(r.worker) != nil:
		return others
	}
	if r.worker != a.worker {
		a.workers++
	}
	a.begun, a.task, a.worker = true, r.task, r.worker
	a.attempt++
	return ""
}

// has reports whether a worker has the task now.
func (a *assignment) has(worker string) bool { return a.begun && a.worker == worker }

// alone returns the worker that has done all of it, "" if several have begun.
func (a *assignment) alone() string {
	if a.workers != 1 {
		return ""
	}
	return a.worker
}

// silence is after how many leases without a request a task is searched for. A worker reports at least once in a lease.
const silence = 3

// search gives out a task once more of which nothing was heard for long: if its message is lost, or a worker has taken it
// and is silent, whether it has begun or not.
func (a *assignment) search(ctx context.Context, e *errand) {
	if a.heard {
		a.heard = false
		return
	}
	if !a.begun {
		waits, err := e.waits(ctx)
		if err != nil {
			a.farm.config.Log.Warn("a task of which nothing is heard could not be looked for", "task", e.id, "why", err)
		}
		if waits || err != nil {
			return
		}
	}
	a.farm.config.Log.Info("nothing is heard of a task", "task", e.id, "worker", a.worker)
	a.giveAgain(ctx, e)
}

// giveAgain takes the task from whoever has it, and gives it out once more.
func (a *assignment) giveAgain(ctx context.Context, e *errand) {
	a.begun = false
	if err := e.again(ctx); err != nil {
		a.farm.config.Log.Warn("a task could not be given out again; it is tried once more after some leases", "task", e.id, "why", err)
	}
}

// replenish puts files into the store again that it may have lost, if a worker has failed: it may have been for want of one.
func (a *assignment) replenish(files stock) {
	if a.attempt > 1 && len(files) > 0 {
		a.farm.checks.all.Go(func() { a.farm.depot.replenish(a.farm.checks.life, files.all()) })
	}
}
