package farm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/tournament"
)

// assignment is a task from when the arena wants it done until it is: whom it is given to, and who may report. One
// goroutine uses it.
type assignment struct {
	farm *Coordinator
	not  string // the worker that is not to do it, "" for none

	task    string
	attempt uint64 // that has begun last
	worker  string // that began it
	nonce   string // of that attempt
	workers int    // that have begun
	heard   bool   // a request has come since the last search
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
	a.task = errand.id
	look := time.NewTicker(silence * a.farm.config.Lease)
	defer look.Stop()
	for !d.over() {
		select {
		case request := <-errand.requests:
			a.heard = true
			if err := a.farm.respond(request, a.take(request, d)); err != nil {
				return err
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

// take takes a request, and returns its answer.
func (a *assignment) take(request *nats.Msg, d deed) any {
	if !strings.HasPrefix(request.Subject, a.farm.name.start("")) {
		return d.report(request.Data)
	}
	var s start
	refused := gone
	if err := json.Unmarshal(request.Data, &s); err == nil {
		refused = a.starts(s)
	}
	if refused != "" {
		return receipt{Refused: refused}
	}
	return d.begin()
}

// starts lets a worker begin, unless it returns why not.
func (a *assignment) starts(s start) refusal {
	switch {
	case s.Attempt < a.attempt || s.Attempt == a.attempt && (s.Worker != a.worker || s.Nonce != a.nonce):
		return older
	case a.farm.isAside(s.Worker) || s.Worker == a.not || ValidateWorker(s.Worker) != nil:
		return others
	}
	if s.Worker != a.worker || a.attempt == 0 {
		a.workers++
	}
	a.attempt, a.worker, a.nonce = s.Attempt, s.Worker, s.Nonce
	return ""
}

// has reports whether a worker has the task now, by its attempt and that one's nonce.
func (a *assignment) has(worker string, attempt uint64, nonce string) bool {
	return a.attempt != 0 && attempt == a.attempt && worker == a.worker && nonce == a.nonce
}

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
	taken, err := a.attempt > 0, error(nil)
	if !taken {
		taken, err = e.delivered(ctx)
	}
	renewed := taken
	switch {
	case err != nil:
	case taken:
		err = e.again(ctx)
	default:
		renewed, err = e.renew(ctx)
	}
	if err != nil {
		a.farm.config.Log.Warn("a task of which nothing is heard could not be given out again", "task", e.id, "why", err)
	} else if renewed {
		a.farm.config.Log.Info("a task of which nothing is heard is given out again", "task", e.id, "worker", a.worker)
		a.attempt, a.worker, a.nonce = 0, "", ""
	}
}

// replenish puts files into the store again that it may have lost, if a worker has failed: it may have been for want of one.
func (a *assignment) replenish(files stock) {
	if a.attempt > 1 && len(files) > 0 {
		a.farm.checks.all.Go(func() { a.farm.depot.replenish(a.farm.checks.life, files.all()) })
	}
}
