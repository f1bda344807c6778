package webhook

import (
	"context"
	"sync"
	"time"
)

// longestQueue is the largest number of notices that wait for an address. Further notices are lost. The next delivered
// notice tells the number of lost notices.
const longestQueue = 500

// queue has the notices that wait for delivery to an address.
type queue struct {
	target Target

	mu      sync.Mutex
	waiting []Notice
	missed  int // lost notices that were not reported to the address yet
	failing Failure
	added   chan struct{} // has an element after add, until next has received it
}

func newQueue(t Target) *queue { return &queue{target: t, added: make(chan struct{}, 1)} }

func (q *queue) add(n Notice) {
	q.mu.Lock()
	if len(q.waiting) < longestQueue {
		q.waiting = append(q.waiting, n)
	} else {
		q.lose()
	}
	q.mu.Unlock()
	select {
	case q.added <- struct{}{}:
	default:
	}
}

// lose counts a notice that the address will not get. The caller holds the lock.
func (q *queue) lose() {
	q.missed++
	q.failing.Missed++
}

// next waits for the first notice and leaves it in the queue. ok is false if ctx has ended or ends meanwhile.
func (q *queue) next(ctx context.Context) (n Notice, ok bool) {
	for ctx.Err() == nil {
		q.mu.Lock()
		if len(q.waiting) > 0 {
			n = q.waiting[0]
			n.Missed = q.missed
			q.mu.Unlock()
			return n, true
		}
		q.mu.Unlock()
		select {
		case <-q.added:
		case <-ctx.Done():
		}
	}
	return n, false
}

// done removes the first notice, which has been delivered. missed is the number of lost notices that it has reported.
func (q *queue) done(missed int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = q.waiting[1:]
	q.missed -= missed
	q.failing = Failure{}
}

// drop removes the first notice, which the address did not accept.
func (q *queue) drop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = q.waiting[1:]
	q.lose()
}

// failed notes that a request has failed, and returns the number of requests that have failed in a row.
func (q *queue) failed(why error) (tries int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f := &q.failing
	if f.Tries++; f.Tries == 1 {
		f.Webhook, f.Since = q.target.String(), time.Now()
	}
	f.Why = why.Error()
	return f.Tries
}

// failure returns the failure of the address. failing is false if the last request has not failed.
func (q *queue) failure() (f Failure, failing bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failing, q.failing.Tries > 0
}

// left returns the number of waiting notices.
func (q *queue) left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
