package farm

import (
	"context"
	"errors"
	"time"

	"versus2048/tournament"
)

// assignment is a task that the arena waits for. It knows the worker that has the task now, and decides which workers
// may report on the task. Only one goroutine uses an assignment.
type assignment struct {
	farm     *Coordinator
	excluded string // the worker that may not do the task, "" for none

	task    string // the id of the message that a worker has begun last
	begun   bool   // a worker has the task now
	worker  string // the worker that began the task last
	attempt uint64 // the number of times that a worker has begun the task
	workers int    // the number of changes of worker, the first one included
	heard   bool   // a request of the worker has come since the last search
}

// taskWork is the work of an assignment.
type taskWork interface {
	// begin answers a worker that may begin.
	begin() any
	// report takes a report, and returns the answer.
	report(data []byte) receipt
	// over reports whether the arena has all results that it wants.
	over() bool
}

// errBroken means that a worker that has done a part of the work is set aside.
var errBroken = errors.New("a worker is set aside")

// await gives out a task and takes the workers' reports about the task, until d is over. It returns
// tournament.ErrInterrupted if ctx ends before, errBroken if broken is closed, and an error if an answer is too long
// for a message.
func (a *assignment) await(ctx context.Context, l lane, kind Kind, broken <-chan struct{}, d taskWork) error {
	pending, err := a.farm.publish(ctx, l, kind)
	if ctx.Err() != nil {
		err = tournament.ErrInterrupted
	}
	if pending != nil {
		defer pending.drop()
	}
	if err != nil {
		return err
	}
	look := time.NewTicker(silence * a.farm.config.Lease)
	defer look.Stop()
	for !d.over() {
		select {
		case r := <-pending.requests:
			if err := a.farm.respond(r.Msg, a.take(r, pending.id, d)); err != nil {
				return err
			}
		case message := <-pending.lost:
			if message == pending.sequence {
				a.giveAgain(ctx, pending)
			}
		case <-look.C:
			a.search(ctx, pending)
		case <-broken:
			return errBroken
		case <-ctx.Done():
			return tournament.ErrInterrupted
		}
	}
	return nil
}

// take takes a request about the task with an id, and returns its answer.
func (a *assignment) take(r request, id string, d taskWork) any {
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

// starts lets a worker begin, or returns the reason to refuse it. The stream delivers each message once, so that only
// one worker can begin the task. The worker asks again if it gets no answer.
func (a *assignment) starts(r request) refusal {
	switch {
	case a.has(r.worker):
		return ""
	case a.begun:
		return taken
	case a.farm.isAside(r.worker) || r.worker == a.excluded || ValidateWorker(r.worker) != nil:
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

// alone returns the worker that has done the whole task, or "" if no worker or several workers have begun it.
func (a *assignment) alone() string {
	if a.workers != 1 {
		return ""
	}
	return a.worker
}

// silence is the least number of leases without a request after which a task is searched for. A worker reports at least
// once in a lease.
const silence = 3

// search gives out a task once more if no request about it has come for long: its message is lost, or the worker that
// took the message is silent.
func (a *assignment) search(ctx context.Context, e *pendingTask) {
	if a.heard {
		a.heard = false
		return
	}
	if !a.begun {
		waits, err := e.waits(ctx)
		if err != nil {
			a.farm.config.Log.Warn("a task without reports could not be looked up", "task", e.id, "why", err)
		}
		if waits || err != nil {
			return
		}
	}
	a.farm.config.Log.Info("no worker reports on a task", "task", e.id, "worker", a.worker)
	a.giveAgain(ctx, e)
}

// giveAgain takes the task from its worker, if any, and gives the task out once more.
func (a *assignment) giveAgain(ctx context.Context, e *pendingTask) {
	a.begun = false
	if err := e.again(ctx); err != nil {
		a.farm.config.Log.Warn("a task could not be given out again; it is tried once more after some leases", "task", e.id, "why", err)
	}
}

// replenish puts the files of a task into the store again if a worker has failed: the store may have lost a file.
func (a *assignment) replenish(files stock) {
	if a.attempt > 1 && len(files) > 0 {
		a.farm.checks.all.Go(func() { a.farm.depot.replenish(a.farm.checks.life, files.all()) })
	}
}
