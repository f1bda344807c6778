package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// match is a match that a worker plays. One goroutine uses it. It implements taskWork.
type match struct {
	assignment
	executor *Executor // nil for a match that is played to check another one
	work     tournament.MatchWork
	recorder tournament.Recorder
	files    stock // of its bots

	position rules.Position // of the current game
	current  int            // the index of the game in progress
	begun    bool           // the recorder has heard that the game has begun
	target   *int           // of the current game
	room     tournament.ReportRoom
	failure  error // of the recorder, or of the setup of the next game
}

// setUp prepares the current game.
func (m *match) setUp() (err error) {
	g := &m.work.Games[m.current]
	m.target, m.begun = m.work.Target, false
	if m.current > 0 {
		m.target = m.work.Event.Settings.Adjudication.Target(tournament.Summarize(&m.work.Games[m.current-1]))
	}
	m.room = tournament.NewReportRoom(g.Record.Searches)
	if m.position, err = g.Record.Replay(); err != nil {
		return fmt.Errorf("game %d cannot be resumed: %w", g.ID, err)
	}
	return nil
}

// play gives out the match and takes the workers' reports about it, until the match is over.
func (m *match) play(ctx context.Context) error {
	whole := !slices.ContainsFunc(m.work.Games, func(g tournament.Game) bool { return len(g.Record.Moves) > 0 })
	if err := m.setUp(); err != nil {
		return err
	}
	err := m.await(ctx, m.lane(), Match, m.broken(), m)
	switch {
	case errors.Is(err, errBroken):
		return m.executor.distrust()
	case errors.Is(err, tournament.ErrInterrupted):
		return fmt.Errorf("match %d: %w", m.work.Games[0].Match, err)
	case err != nil:
		return err
	}
	if m.failure == nil && whole && m.alone() != "" && m.executor != nil {
		m.farm.checks.considerMatch(ctx, m)
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

func (m *match) entries() []tournament.Entry {
	first := &m.work.Games[0]
	return slices.DeleteFunc(slices.Clone(m.work.Event.Entries), func(e tournament.Entry) bool { return e.Name != first.First && e.Name != first.Second })
}

// broken returns a channel that is closed when the games are to end early.
func (m *match) broken() <-chan struct{} {
	if m.executor == nil {
		return nil
	}
	return m.executor.broken
}

// over reports whether all games have ended, or there was a failure.
func (m *match) over() bool { return m.failure != nil || m.played() }

func (m *match) played() bool { return m.current == len(m.work.Games) }

// begin lets a worker play on from the end of the record.
func (m *match) begin() any {
	if m.executor != nil {
		m.executor.takesPart(m.worker, m.work.Games[m.current:])
	}
	m.replenish(m.files)
	return m.form()
}

// form returns the games that are left, with everything that a worker needs to play them.
func (m *match) form() matchWork {
	e := m.work.Event
	out := matchWork{Event: e, ID: e.ID, Target: m.target, Speed: m.farm.speed, Files: m.files, Programs: m.programs()}
	out.Event.Memberships, out.Event.Settings.Openings = nil, tournament.Openings{}
	out.Event.Entries = m.entries()
	for _, g := range m.work.Games[m.current:] {
		out.Games = append(out.Games, game{g.ID, g.Pairing, g.Leg, g.Record})
	}
	return out
}

// report takes plies of the current game, and its end.
func (m *match) report(data []byte) receipt {
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		return receipt{Refused: gone}
	}
	for _, g := range m.work.Games[:m.current] {
		if g.ID == r.Game { // the answer was lost
			return receipt{Have: len(g.Record.Moves), Ended: true}
		}
	}
	g := &m.work.Games[m.current]
	have := len(g.Record.Moves)
	if r.Game != g.ID || r.First < 0 || r.First > have {
		return receipt{Have: have}
	}
	if !m.begun {
		m.begun = true
		m.recorder.Begun(*g)
	}
	err := m.enter(g, r)
	if err == nil && r.End != nil {
		err = m.end(g, r.End)
	}
	if err != nil {
		m.farm.setAside(map[string]string{m.worker: fmt.Sprintf("game %d: %v", g.ID, err)})
		return receipt{Refused: others}
	}
	return receipt{Have: len(g.Record.Moves), Ended: r.End != nil}
}

// enter enters the plies of a report that the record does not have yet. It returns an error if the report is malformed
// or a ply is illegal.
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
		if ply.Search != nil && (!m.work.Event.Search || ply.Search.Check(m.position) != nil) {
			ply.Search = nil
		}
		ply.Search = m.room.Take(ply.Search)
		m.position, g.Origin = next, m.origin()
		g.Add(ply)
		m.recorder.Played(g, ply)
	}
	return nil
}

// origin names the worker that has the match now.
func (m *match) origin() tournament.Origin {
	return tournament.Origin{Worker: m.worker, Task: m.task, Attempt: m.attempt}
}

// end ends the current game. It returns an error if the game cannot have ended that way.
func (m *match) end(g *tournament.Game, e *ending) error {
	parsed, err := record.ParseEnding(string(e.Ending))
	switch {
	case err != nil || parsed == record.Unfinished:
		return fmt.Errorf("ending %.100q", e.Ending)
	case (parsed == record.Mate) != m.position.Over():
		return fmt.Errorf("ending %q of %v", parsed, m.position)
	}
	e.bound()
	ended := *g
	ended.Record.Ending, ended.Record.Detail, ended.Logs = parsed, e.Detail, e.Logs
	if err := m.work.Event.Settings.Adjudication.Check(&ended.Record, m.target); err != nil {
		return err
	}
	ended.Record.AddPause(e.Pause.Stall, e.Pause.Away)
	ended.Finished = time.Now().UTC()
	ended.Origin = m.origin()
	*g = ended
	if m.failure = m.recorder.Ended(ended); m.failure != nil {
		return nil
	}
	if m.executor != nil {
		m.executor.ended(g.ID)
	}
	if m.current++; !m.played() {
		m.failure = m.setUp()
	}
	return nil
}
