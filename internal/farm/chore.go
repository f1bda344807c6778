package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/nats-io/nats.go"

	"versus2048/players"
	"versus2048/tournament"
)

// Chore does the batches of one kind: small pieces of work with a bot, of a few seconds each, with settings and
// results in JSON. An arena neither reads nor checks settings and results: the command that ordered the batches does.
// If the bot is repeatable, the result depends on the settings and the bot alone, byte for byte.
type Chore func(ctx context.Context, bot players.Spec, settings json.RawMessage) (json.RawMessage, error)

// doBatch does the batch of a task. It returns errGone, errTaken or errOthers if the batch is not this worker's, the
// context's error if ctx ends, and the fault if the batch cannot be done.
func (w *Worker) doBatch(ctx context.Context, kind Kind, id string) error {
	chore := w.Chores[kind]
	if chore == nil {
		return fmt.Errorf("this worker does not know tasks of the kind %q", kind)
	}
	var o order
	a := attempt{w, id}
	if err := w.insist(ctx, w.Name.start(id, w.Card.Worker), nil, &o); err != nil {
		return err
	}
	result, fault, err := a.follow(ctx, chore, o)
	if err != nil {
		return err
	}
	if fault != nil {
		w.distrust(o.Files)
	} else if fault, err = a.handIn(ctx, result); fault == nil {
		return err
	}
	_, err = a.tell(ctx, outcome{Fault: fault.Error()})
	return cmp.Or(err, fault)
}

// attempt is a worker's attempt at a batch.
type attempt struct {
	worker *Worker
	task   string
}

// tell reports the state of the batch.
func (a attempt) tell(ctx context.Context, what outcome) (answer receipt, err error) {
	err = a.worker.insist(ctx, a.worker.Name.report(a.task, a.worker.Card.Worker), what, &answer)
	return answer, err
}

// follow carries out an order, and tells the arena meanwhile that the worker is at it. fault means that the
// order cannot be carried out.
func (a attempt) follow(ctx context.Context, chore Chore, o order) (result json.RawMessage, fault, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	beat := func() {
		if _, err := a.tell(ctx, outcome{}); err != nil {
			stop(err)
		}
	}
	err = meanwhile(a.worker.leaseTime(), beat, func() error {
		bot, release, err := a.worker.makeBot(ctx, o)
		defer release()
		if err == nil {
			result, fault = chore(ctx, bot, o.Settings)
		}
		return err
	})
	return result, fault, cmp.Or(context.Cause(ctx), err)
}

// handIn sends a result to the arena until the arena has it. fault means that the result is too long for a message.
func (a attempt) handIn(ctx context.Context, result json.RawMessage) (fault, err error) {
	for {
		answer, err := a.tell(ctx, outcome{Result: result})
		if errors.Is(err, nats.ErrMaxPayload) {
			return fmt.Errorf("its result has %d bytes, more than a message of NATS may have (max_payload)", len(result)), nil
		}
		if err != nil || answer.Ended {
			return nil, err
		}
	}
}

// makeBot makes the bot of a batch. The bot uses the files on this machine, and its thinking times are converted to the
// speed of this machine. The caller must call release, even after an error.
func (w *Worker) makeBot(ctx context.Context, o order) (bot players.Spec, release func(), err error) {
	e := o.event()
	slow := slowness(e, o.Speed, math.Float64frombits(w.speed.Load()))
	e = matchWork{Event: e}.slowed(slow).Event
	release, err = w.provide(ctx, &e, o.Files)
	if err == nil {
		if bot, err = w.last.parse(e.Entries[0].Spec); err != nil {
			w.distrust(o.Files)
		}
	}
	return bot, release, err
}

// distrust is called when verified files may be damaged now. The worker then verifies them again at their next use, and
// makes the bot of the next batch anew.
func (w *Worker) distrust(files stock) {
	for _, f := range files.all() {
		w.Cache.doubt(f)
	}
	w.last.forget()
}

// event returns an event with the bot of a batch as its only bot.
func (o order) event() tournament.Event {
	return tournament.Event{Entries: []tournament.Entry{{Name: batchBot, Spec: o.Bot}}}
}

// lastBot is the bot of the last batch. It stays open: the next batch usually has the same bot, and its file may be
// large.
type lastBot struct {
	mu   sync.Mutex
	text string
	bot  players.Spec
}

func (h *lastBot) parse(text string) (bot players.Spec, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if text == h.text {
		return h.bot, nil
	}
	if bot, err = players.Parse(text); err == nil {
		h.text, h.bot = text, bot
	}
	return bot, err
}

// forget drops the bot, so that the next batch makes it anew.
func (h *lastBot) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text, h.bot = "", players.Spec{}
}
