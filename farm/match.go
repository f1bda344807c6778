package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// match is a match that a worker plays. One goroutine uses it.
type match struct {
	farm  *Coordinator
	venue *Venue // nil for a match that is played to check another one
	not   string // the worker that is not to play it, "" for none
	sheet tournament.Sheet
	desk  tournament.Desk
	stock stock

	position rules.Position // of the current game
	current  int            // the index of the game in progress
	begun    bool           // the desk knows of it
	target   *int           // of the current game

	task    string
	attempt uint64 // that has begun last
	worker  string // that began it
	workers int    // that have begun
	heard   bool   // a request has come since the last search
	failure error  // of the desk
}

// setUp prepares the current game.
func (m *match) setUp() (err error) {
	g := &m.sheet.Games[m.current]
	m.target, m.begun = m.sheet.Target, false
	if m.current > 0 {
		m.target = m.sheet.Event.Settings.Adjudication.Target(tournament.Summarize(&m.sheet.Games[m.current-1]))
	}
	if m.position, err = g.Record.Replay(); err != nil {
		return fmt.Errorf("game %d cannot be resumed: %w", g.ID, err)
	}
	return nil
}

// play gives out the match and takes what workers report of it, until it is over.
func (m *match) play(ctx context.Context) error {
	whole := fresh(m.sheet)
	err := m.setUp()
	if err != nil {
		return err
	}
	m.stock, err = m.farm.depot.stock(ctx, m.entries())
	defer m.farm.depot.release(m.stock)
	var errand *errand
	if err == nil {
		errand, err = m.farm.publish(ctx, m.lane(), Match)
	}
	if ctx.Err() != nil {
		err = tournament.ErrInterrupted
	}
	if err != nil {
		return err
	}
	defer errand.drop()
	m.task = errand.id
	look := time.NewTicker(silence * m.farm.config.Lease)
	defer look.Stop()
	for !m.over() && m.failure == nil {
		select {
		case request := <-errand.requests:
			m.heard = true
			m.farm.answer(request, m.take(request))
		case <-look.C:
			m.search(ctx, errand)
		case <-m.broken():
			return m.venue.why
		case <-ctx.Done():
			return fmt.Errorf("match %d: %w", m.sheet.Games[0].Match, tournament.ErrInterrupted)
		}
	}
	if m.failure == nil && whole && m.workers == 1 && m.venue != nil {
		m.farm.checks.consider(m.sheet, m.worker)
	}
	return m.failure
}

// lane returns the lane of the workers that can play the match.
func (m *match) lane() lane {
	if len(m.programs()) > 0 {
		return execLane
	}
	return plainLane
}

// programs returns the commands of the match's bots that are programs.
func (m *match) programs() map[string][]string {
	commands := map[string][]string{}
	for _, e := range m.entries() {
		if command := m.farm.config.Programs[e.Name]; e.Spec == "" && command != nil {
			commands[e.Name] = command
		}
	}
	return commands
}

// entries returns the entries of the match's bots.
func (m *match) entries() []tournament.Entry {
	first := &m.sheet.Games[0]
	return slices.DeleteFunc(slices.Clone(m.sheet.Event.Entries), func(e tournament.Entry) bool { return e.Name != first.First && e.Name != first.Second })
}

// silence is after how many leases without a request a task is searched for. A worker reports at least once in a lease.
const silence = 3

// search gives out a task once more of which nothing was heard for long: if its message is lost, or a worker has begun it
// and is silent.
func (m *match) search(ctx context.Context, e *errand) {
	if m.heard {
		m.heard = false
		return
	}
	renewed, err := m.attempt > 0, error(nil)
	if renewed {
		err = e.again(ctx)
	} else {
		renewed, err = e.renew(ctx)
	}
	if err != nil {
		m.farm.config.Log.Warn("a task of which nothing is heard could not be given out again", "task", e.id, "why", err)
	} else if renewed {
		m.farm.config.Log.Info("a task of which nothing is heard is given out again", "task", e.id, "worker", m.worker)
		m.attempt, m.worker = 0, ""
	}
}

// fresh reports whether no ply of a sheet has been played.
func fresh(s tournament.Sheet) bool {
	return !slices.ContainsFunc(s.Games, func(g tournament.Game) bool { return len(g.Record.Moves) > 0 })
}

// broken returns a channel that is closed when the games are to end.
func (m *match) broken() <-chan struct{} {
	if m.venue == nil {
		return nil
	}
	return m.venue.broken
}

// over reports whether all games have ended.
func (m *match) over() bool { return m.current == len(m.sheet.Games) }

// take takes a request, and returns its answer.
func (m *match) take(request *nats.Msg) any {
	if strings.HasPrefix(request.Subject, m.farm.name.start("")) {
		var s start
		if err := json.Unmarshal(request.Data, &s); err != nil {
			return sheet{Refused: gone}
		}
		return m.start(s)
	}
	var r report
	if err := json.Unmarshal(request.Data, &r); err != nil {
		return receipt{Refused: gone}
	}
	return m.report(r)
}

// start lets a worker begin where the record ends.
func (m *match) start(s start) sheet {
	switch {
	case s.Attempt < m.attempt || s.Attempt == m.attempt && s.Worker != m.worker:
		return sheet{Refused: older}
	case m.farm.isAside(s.Worker) || s.Worker == m.not:
		return sheet{Refused: others}
	}
	if s.Worker != m.worker || m.attempt == 0 {
		m.workers++
	}
	m.attempt, m.worker = s.Attempt, s.Worker
	if m.venue != nil {
		m.venue.takesPart(m.worker, m.sheet.Games[m.current:])
	}
	if s.Attempt > 1 { // a worker may have failed since a file is missing
		m.farm.depot.replenish(m.stock)
	}
	return m.form()
}

// form returns what a worker has to know of the games that are left.
func (m *match) form() sheet {
	e := m.sheet.Event
	out := sheet{Event: e, ID: e.ID, Target: m.target, Speed: m.farm.speed, Files: m.stock.byBot(), Programs: m.programs()}
	out.Event.Memberships, out.Event.Settings.Openings = nil, tournament.Openings{}
	out.Event.Entries = m.entries()
	for _, g := range m.sheet.Games[m.current:] {
		out.Games = append(out.Games, game{g.ID, g.Pairing, g.Leg, g.Record})
	}
	return out
}

// report takes plies of the current game, and its end.
func (m *match) report(r report) receipt {
	if m.attempt == 0 || r.Attempt != m.attempt || r.Worker != m.worker {
		return receipt{Refused: older}
	}
	for _, g := range m.sheet.Games[:m.current] {
		if g.ID == r.Game { // the answer was lost
			return receipt{Have: len(g.Record.Moves), Ended: true}
		}
	}
	g := &m.sheet.Games[m.current]
	have := len(g.Record.Moves)
	if r.Game != g.ID || r.First < 0 || r.First > have {
		return receipt{Have: have}
	}
	if !m.begun {
		m.begun = true
		m.desk.Begun(*g)
	}
	err := m.enter(g, r)
	if err == nil && r.End != nil {
		err = m.end(g, r.End)
	}
	if err != nil {
		m.farm.setAside(r.Worker, fmt.Sprintf("game %d: %v", g.ID, err))
		return receipt{Refused: others}
	}
	return receipt{Have: len(g.Record.Moves), Ended: r.End != nil}
}

// enter enters the plies of a report that the record does not have yet. It returns an error if one is illegal.
func (m *match) enter(g *tournament.Game, r report) error {
	all, err := r.Plies.list()
	if err != nil {
		return err
	}
	for _, ply := range all[min(len(all), len(g.Record.Moves)-r.First):] {
		next, err := m.position.Play(ply.Move)
		if err != nil {
			return err
		}
		if ply.Search != nil && (!m.sheet.Event.Search || ply.Search.Check(m.position) != nil) {
			ply.Search = nil
		}
		m.position = next
		g.Add(ply)
		m.desk.Played(*g, ply)
	}
	return nil
}

// end ends the current game. It returns an error if the game does not end so.
func (m *match) end(g *tournament.Game, e *ending) error {
	parsed, err := record.ParseEnding(string(e.Ending))
	switch {
	case err != nil || parsed == record.Unfinished:
		return fmt.Errorf("ending %q", e.Ending)
	case (parsed == record.Mate) != m.position.Over():
		return fmt.Errorf("ending %q of %v", parsed, m.position)
	}
	ended := *g
	ended.Record.Ending, ended.Record.Detail, ended.Logs = parsed, e.Detail, e.Logs
	if err := m.sheet.Event.Settings.Adjudication.Check(&ended.Record, m.target); err != nil {
		return err
	}
	ended.Record.AddPause(e.Pause.Stall, e.Pause.Away)
	ended.Finished = time.Now().UTC()
	ended.Origin = tournament.Origin{Worker: m.worker, Task: m.task, Attempt: m.attempt}
	*g = ended
	if m.failure = m.desk.Ended(ended); m.failure != nil {
		return nil
	}
	if m.venue != nil {
		m.venue.ended(g.ID)
	}
	if m.current++; !m.over() {
		m.failure = m.setUp()
	}
	return nil
}
