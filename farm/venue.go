package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Venue is where a farm plays the matches of one event. It implements tournament.Elsewhere.
type Venue struct {
	farm    *Coordinator
	changed <-chan struct{}
	leave   func()
}

// Venue returns a venue for one event. The caller must close it.
func (c *Coordinator) Venue() *Venue {
	v := &Venue{farm: c}
	v.changed, v.leave = c.cards.follow()
	return v
}

// Close ends the venue.
func (v *Venue) Close() { v.leave() }

// Takes reports whether workers can make the bots: they have specs.
func (v *Venue) Takes(entries ...tournament.Entry) bool {
	return !slices.ContainsFunc(entries, func(e tournament.Entry) bool {
		spec, err := players.ParseClosed(e.Spec)
		return e.Spec == "" || err != nil || len(spec.Files()) > 0
	})
}

// Room returns how many matches the workers play at once, and some more, so that none waits for its next one.
func (v *Venue) Room() int {
	games := v.farm.cards.games()
	return games + max(1, games/4)
}

// Changed implements tournament.Elsewhere.
func (v *Venue) Changed() <-chan struct{} { return v.changed }

// Play implements tournament.Venue: it gives the games to a worker, and to another one if nothing is heard of that
// within the lease.
func (v *Venue) Play(ctx context.Context, s tournament.Sheet, d tournament.Desk) error {
	m := &match{farm: v.farm, sheet: s, desk: d}
	if err := m.setUp(); err != nil {
		return err
	}
	for {
		again, err := m.play(ctx)
		if !again || err != nil {
			return err
		}
	}
}

// match is a match that a worker plays. One goroutine uses it.
type match struct {
	farm     *Coordinator
	sheet    tournament.Sheet
	desk     tournament.Desk
	position rules.Position // of the current game
	current  int            // the index of the game in progress
	begun    bool           // the desk knows of it
	target   *int           // of the current game

	attempt uint64 // that has begun last
	worker  string // that began it
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

// play gives out the match and takes what workers report of it, until it is over. again means that it is to
// be given out once more: its worker is set aside.
func (m *match) play(ctx context.Context) (again bool, err error) {
	errand, err := m.farm.publish(ctx, plainLane, Match)
	if ctx.Err() != nil {
		err = tournament.ErrInterrupted
	}
	if err != nil {
		return false, err
	}
	defer m.farm.drop(ctx, errand)
	m.attempt, m.worker = 0, ""
	for {
		select {
		case request := <-errand.requests:
			m.farm.answer(request, m.take(request))
			if m.failure != nil || m.over() {
				return false, m.failure
			}
			if m.farm.isAside(m.worker) {
				return true, nil
			}
		case <-ctx.Done():
			return false, fmt.Errorf("match %d: %w", m.sheet.Games[0].Match, tournament.ErrInterrupted)
		}
	}
}

// over reports whether all games have ended.
func (m *match) over() bool { return m.current == len(m.sheet.Games) }

// take takes a request, and returns its answer.
func (m *match) take(request *nats.Msg) any {
	if request.Subject[:len(m.farm.name.start(""))] == m.farm.name.start("") {
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
	case m.farm.isAside(s.Worker):
		return sheet{Refused: aside}
	}
	m.attempt, m.worker = s.Attempt, s.Worker
	e := m.sheet.Event
	out := sheet{Event: e, ID: e.ID, Target: m.target}
	out.Event.Memberships, out.Event.Settings.Openings = nil, tournament.Openings{}
	first := &m.sheet.Games[0]
	out.Event.Entries = slices.DeleteFunc(slices.Clone(e.Entries), func(e tournament.Entry) bool { return e.Name != first.First && e.Name != first.Second })
	for _, g := range m.sheet.Games[m.current:] {
		out.Games = append(out.Games, game{g.ID, g.Pairing, g.Leg, g.Record})
	}
	return out
}

// report takes plies of the current game, and its end.
func (m *match) report(r report) receipt {
	if r.Attempt != m.attempt || r.Worker != m.worker {
		return receipt{Refused: older}
	}
	for _, g := range m.sheet.Games[:m.current] {
		if g.ID == r.Game { // the answer was lost
			return receipt{Have: len(g.Record.Moves), Ended: true}
		}
	}
	g := &m.sheet.Games[m.current]
	have := len(g.Record.Moves)
	if r.Game != g.ID || r.First > have {
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
		return receipt{Refused: aside}
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
	*g = ended
	if m.failure = m.desk.Ended(ended); m.failure != nil {
		return nil
	}
	if m.current++; !m.over() {
		m.failure = m.setUp()
	}
	return nil
}
