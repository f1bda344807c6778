package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// inbox is the largest number of waiting requests about a task.
const inbox = 16

// pendingTask is a task that a Coordinator waits for. Each time that the task is given out, it gets a new message
// with a new id. JetStream delivers a message once, so JetStream alone decides which worker has the task.
type pendingTask struct {
	farm     *Coordinator
	lane     lane
	kind     Kind
	id       string
	message  []byte
	sequence uint64 // of the message in the stream, 0 for none
	requests chan request
	lost     chan uint64 // receives the message's sequence once its worker has let the lease run out, or has given the task back
}

// request is a worker's request about a task.
type request struct {
	*nats.Msg
	verb, task, worker string // from its subject
}

// startVerb is the verb of the request that begins a task. All others report.
const startVerb = "start"

// publish gives a task to the workers of a lane. It tries until it succeeds or ctx ends. The caller must call drop,
// except after an error.
func (c *Coordinator) publish(ctx context.Context, l lane, kind Kind) (*pendingTask, error) {
	e := &pendingTask{farm: c, lane: l, kind: kind, requests: make(chan request, inbox), lost: make(chan uint64, 1)}
	e.rename()
	for told := false; ; told = true {
		err := e.send(ctx)
		if err == nil {
			return e, nil
		}
		if ctx.Err() != nil {
			e.drop()
			return nil, ctx.Err()
		}
		if !told {
			c.config.Log.Error("a task of the farm cannot be given out; it is tried again", "farm", c.name, "why", err)
		}
		c.renew()
		pause(ctx, time.Second)
	}
}

// rename gives the task a new id that nobody can guess.
func (e *pendingTask) rename() {
	e.farm.mu.Lock()
	defer e.farm.mu.Unlock()
	delete(e.farm.waiting, e.id)
	e.id = nuid.New().Next()
	e.farm.waiting[e.id] = e
	e.message, _ = json.Marshal(task{e.id, e.kind}) // two texts: it cannot fail
}

// send puts the message into the stream, which is created if NATS has lost it.
func (e *pendingTask) send(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	ack, err := e.put(ctx)
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		err = e.farm.createStream(ctx)
		if err == nil {
			ack, err = e.put(ctx)
		}
	}
	if err != nil {
		return err
	}
	e.farm.mu.Lock()
	defer e.farm.mu.Unlock()
	e.sequence = ack.Sequence
	e.farm.given[e.sequence] = e
	return nil
}

// put sends the message to the stream. The stream may get the message several times, because the client keeps messages
// while NATS is away, and because put is called again if an answer is lost. The stream stores one message of an id
// within a minute.
func (e *pendingTask) put(ctx context.Context) (*jetstream.PubAck, error) {
	return e.farm.js.Publish(ctx, e.farm.name.lane(e.lane), e.message, jetstream.WithMsgID(e.id))
}

// there reports whether the stream has the message. If NATS has lost the stream and it was made again, the number of
// the message may be another task's.
func (e *pendingTask) there(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	m, err := e.farm.stream.GetMsg(ctx, e.sequence)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("looking for a task: %w", err)
	}
	return bytes.Equal(m.Data, e.message), nil
}

// delivered reports whether the message has been given to a worker, as far as NATS still knows.
func (e *pendingTask) delivered(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	consumer, err := e.farm.js.Consumer(ctx, e.farm.name.tasks(), string(e.lane))
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for a task's worker: %w", err)
	}
	return consumer.CachedInfo().Delivered.Stream >= e.sequence, nil
}

// waits reports whether the message waits for a worker, as far as NATS still knows. Otherwise a worker has
// taken it or thrown it away, or NATS has lost it.
func (e *pendingTask) waits(ctx context.Context) (bool, error) {
	if delivered, err := e.delivered(ctx); delivered || err != nil {
		return false, err
	}
	return e.there(ctx)
}

// again takes the task from its worker, if any, and gives the task out once more.
func (e *pendingTask) again(ctx context.Context) error {
	e.remove()
	e.rename()
	return e.send(ctx)
}

// drop forgets a task. It refuses the waiting requests of workers, and forward refuses later ones.
func (e *pendingTask) drop() {
	e.farm.mu.Lock()
	delete(e.farm.waiting, e.id)
	e.farm.mu.Unlock()
	close(e.requests) // no more come
	for late := range e.requests {
		e.farm.answer(late.Msg, receipt{Refused: gone})
	}
	e.remove()
}

// remove removes the message from the stream, unless it is another task's.
func (e *pendingTask) remove() {
	if e.sequence == 0 {
		return
	}
	e.farm.mu.Lock()
	if e.farm.given[e.sequence] == e { // otherwise the stream was made anew, and the number is another task's
		delete(e.farm.given, e.sequence)
	}
	e.farm.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	there, err := e.there(ctx)
	if there {
		err = e.farm.stream.DeleteMsg(ctx, e.sequence)
	}
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		e.farm.config.Log.Debug("a task was not taken back", "task", e.id, "why", err) // its worker will be told
	}
}
