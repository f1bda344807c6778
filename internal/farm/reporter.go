package farm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/players"
	"versus2048/tournament"
)

// playMatch plays the games of a task's match. It returns errGone, errTaken or errOthers if the games are not, or no
// longer, this worker's, and the cause of ctx if ctx ends.
func (w *Worker) playMatch(ctx context.Context, id string) error {
	var s matchWork
	if err := w.insist(ctx, w.Name.start(id, w.Card.Worker), nil, &s); err != nil {
		return err
	}
	given := ctx
	ctx, stop := context.WithCancelCause(given)
	defer stop(nil)
	slow := slowness(s.Event, s.Speed, math.Float64frombits(w.speed.Load()))
	r := &reporter{worker: w, slow: slow, task: id, ctx: ctx, stop: stop}
	// Even while a bot thinks for long, the arena learns that this worker is there, and the worker learns
	// whether to play on.
	err := meanwhile(w.leaseTime(), r.flush, func() error { return w.playGames(ctx, s, r) })
	r.finish(given)
	return cmp.Or(context.Cause(ctx), err)
}

// playGames prepares the bots of the games and plays them.
func (w *Worker) playGames(ctx context.Context, s matchWork, r *reporter) error {
	out := s.slowed(r.slow)
	release, err := w.provide(ctx, &out.Event, s.Files)
	defer release()
	if err != nil {
		return err
	}
	local, err := newLocalExecutor(out.Event, w.Card.Version, &w.pool)
	if err != nil {
		w.distrust(s.Files)
		return err
	}
	local.Running = w.stalls
	leave, err := w.startPrograms(ctx, s, local)
	defer leave()
	if err != nil {
		return err
	}
	return local.Play(ctx, out, r)
}

// newLocalExecutor returns the executor of this process with those bots of an event that have specs.
func newLocalExecutor(e tournament.Event, version string, pool *players.Pool) (tournament.LocalExecutor, error) {
	local := tournament.LocalExecutor{Bots: map[string]tournament.Bot{}}
	for _, entry := range e.Entries {
		if entry.Spec == "" {
			continue
		}
		bot, err := tournament.NewLocalBot(e, entry, version, pool)
		if err != nil {
			return local, err
		}
		local.Bots[entry.Name] = bot
	}
	return local, nil
}

// startPrograms starts the bots of a match that are programs, and seats them at the executor. The caller must call
// leave.
func (w *Worker) startPrograms(ctx context.Context, s matchWork, local tournament.LocalExecutor) (leave func(), err error) {
	var all []Program
	leave = func() {
		for _, p := range all {
			p.Close()
		}
	}
	for name, command := range s.Programs {
		if !w.Card.Exec {
			return leave, fmt.Errorf("bot %q is a program, which this worker does not run without --allow-exec", name)
		}
		p, err := w.Program(ctx, name, command, s.Event)
		if err != nil {
			return leave, fmt.Errorf("bot %q: %w", name, err)
		}
		all = append(all, p)
		local.Bots[name] = p
	}
	return leave, nil
}

// err returns the reason why a task is given up, nil if the arena has not refused.
func (r refusal) err() error {
	switch r {
	case "":
		return nil
	case gone:
		return errGone
	case others:
		return errOthers
	}
	return errTaken
}

// insist asks until it gets an answer, or until ctx ends. A question that is too long for NATS is an error, and so is
// an answer that refuses.
func (w *Worker) insist(ctx context.Context, subject string, question any, answer refuser) error {
	for {
		err := w.ask(ctx, subject, question, answer)
		if err == nil {
			return answer.refused().err()
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, nats.ErrMaxPayload) {
			return err
		}
		w.Log.Debug("no answer from the arena", "why", err)
		pause(ctx, patience)
	}
}

// reporter reports the plies to the arena while the game goes on. It implements tournament.Recorder.
type reporter struct {
	worker *Worker
	task   string
	slow   float64 // the time of this machine for some work, divided by the arena's: see slowness
	ctx    context.Context
	stop   context.CancelCauseFunc // ends the games

	sending sync.Mutex // held while a report is under way
	seats   []tournament.Seat

	mu    sync.Mutex
	timer *time.Timer      // nil unless plies wait
	game  tournament.Game  // so far
	first int              // the index of the first of the plies
	plies []tournament.Ply // plies that the arena does not have
}

// Begun implements tournament.Recorder.
func (r *reporter) Begun(g tournament.Game, seats ...tournament.Seat) {
	r.sending.Lock()
	defer r.sending.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.game, r.seats, r.first, r.plies = g, seats, len(g.Record.Moves), nil
}

// Played implements tournament.Recorder.
func (r *reporter) Played(g *tournament.Game, ply tournament.Ply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.game = *g
	ply.Time = longer(ply.Time, 1/r.slow)
	if r.plies = append(r.plies, ply); r.timer == nil {
		r.timer = time.AfterFunc(r.worker.reportTime(), r.flush)
	}
}

// flush reports the plies that wait.
func (r *reporter) flush() {
	r.sending.Lock()
	defer r.sending.Unlock()
	r.mu.Lock()
	r.timer = nil
	r.mu.Unlock()
	switch {
	case r.ctx.Err() != nil:
	case r.seats == nil:
		r.attend()
	default:
		r.send(r.ctx, nil)
	}
}

// attend tells the arena before or after a game that this worker is still there: it may be fetching files.
func (r *reporter) attend() {
	if err := r.insist(r.ctx, report{}, new(receipt)); err != nil {
		r.stop(err) // does nothing if ctx has ended
	}
}

func (r *reporter) insist(ctx context.Context, question report, answer *receipt) error {
	return r.worker.insist(ctx, r.worker.Name.report(r.task, r.worker.Card.Worker), question, answer)
}

// send reports the plies that wait, and the end of the game unless end is nil. If a message has no room for all plies,
// it reports only the first of them. recorded means that the arena has the end. If the arena refuses, the games end.
// The caller holds sending.
func (r *reporter) send(ctx context.Context, end *ending) (recorded bool) {
	r.mu.Lock()
	game, first, all := r.game.ID, r.first, r.plies
	r.mu.Unlock()
	answer, err := r.tell(ctx, report{Game: game, First: first, End: end}, all)
	if err != nil {
		if ctx.Err() == nil {
			r.stop(err)
		}
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer.Have < first || answer.Have > first+len(r.plies) {
		r.stop(fmt.Errorf("the arena has %d plies of game %d: it cannot be continued from %d", answer.Have, game, first))
		return false
	}
	r.plies, r.first = r.plies[answer.Have-first:], answer.Have
	return answer.Ended
}

// tell sends a report of plies. As long as the report is too long for a message, tell leaves out the later half of the
// plies, and the end of the game.
func (r *reporter) tell(ctx context.Context, question report, all []tournament.Ply) (answer receipt, err error) {
	for {
		question.Plies = newPlies(all)
		err = r.insist(ctx, question, &answer)
		if !errors.Is(err, nats.ErrMaxPayload) || len(all) < 2 {
			return answer, err
		}
		all, question.End = all[:len(all)/2], nil
	}
}

// Ended implements tournament.Recorder: it returns nil once the arena has recorded the game.
func (r *reporter) Ended(g tournament.Game) error {
	r.sending.Lock()
	defer r.sending.Unlock()
	e := &ending{Ending: g.Record.Ending, Detail: g.Record.Detail, Logs: g.Logs}
	if all := g.Record.Pauses; len(all) > 0 && all[len(all)-1].Ply == len(g.Record.Moves) {
		e.Pause = all[len(all)-1]
	}
	for !r.send(r.ctx, e) {
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
	}
	r.worker.played.Add(1)
	r.leave(g)
	return nil
}

// leave gives up the seats of a game.
func (r *reporter) leave(g tournament.Game) {
	for _, s := range r.seats {
		s.Over(tournament.GameResult{Game: g, Summary: tournament.Summarize(&g)})
	}
	r.seats = nil
}

// lastWord is the longest time that a stopping worker takes to report the last plies.
const lastWord = 2 * time.Second

// finish gives up the seats of a game that was interrupted. If ctx has ended, it also reports the last plies.
func (r *reporter) finish(ctx context.Context) {
	r.sending.Lock()
	defer r.sending.Unlock()
	if r.seats == nil {
		return
	}
	r.leave(r.game)
	if ctx.Err() != nil && len(r.plies) > 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWord)
		defer cancel()
		r.send(ctx, nil)
	}
}
