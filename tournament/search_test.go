package tournament_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// plyReport returns a report that identifies its position.
func plyReport(p rules.Position) *record.SearchReport {
	return &record.SearchReport{Nodes: int64(1000 + p.Ply())}
}

// wantReports fails unless the recorded reports are plyReport's, for the given side
// only.
func wantReports(t *testing.T, r *record.Record, side rules.Side) {
	t.Helper()
	if len(r.Searches) != len(r.Moves) {
		t.Fatalf("%d reports for %d moves", len(r.Searches), len(r.Moves))
	}
	p := r.Start
	for i, m := range r.Moves {
		if got := r.Searches[i]; p.SideToMove() != side && got != nil || p.SideToMove() == side && (got == nil || got.Nodes != plyReport(p).Nodes) {
			t.Errorf("ply %d: reported %+v, want the %v's nodes %d", i, got, side, plyReport(p).Nodes)
		}
		p = p.Next(m)
	}
}

func TestRefereeRecordsReports(t *testing.T) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		seats := [2]*scripted{good(), good()}
		seats[side].report = plyReport
		seats[side.Other()].report = func(rules.Position) *record.SearchReport { return &record.SearchReport{Nodes: -1} }
		plies := 0
		referee := tournament.Referee{Search: true, Played: func(g *tournament.Game, ply tournament.Ply) {
			if side == rules.Attacker == (plies%2 == 0) != (ply.Search != nil) {
				t.Errorf("ply %d is announced with %+v", plies, ply.Search)
			}
			plies++
		}}
		g, err := referee.Play(t.Context(), smallGame(), seats[0], seats[1])
		if err != nil || plies == 0 {
			t.Fatalf("%d plies, error %v", plies, err)
		}
		wantReports(t, &g.Record, side)
	}
}

// Without Search no player is asked for a report, and no report is recorded.
func TestRefereeWithoutReports(t *testing.T) {
	reporting := good()
	reporting.report = plyReport
	bot := tournament.LocalBot{New: func(players.Game) players.Player { return unasked{good(), t} }}
	g, err := tournament.Referee{}.Play(t.Context(), smallGame(), bot.Sit(tournament.Assignment{Game: smallGame()}), reporting)
	if err != nil || len(g.Record.Moves) == 0 || g.Record.Searches != nil {
		t.Errorf("%d moves, reports on record: %v, error %v", len(g.Record.Moves), g.Record.Searches, err)
	}
}

// unasked is a player that must not be asked for reports.
type unasked struct {
	*scripted
	t *testing.T
}

func (u unasked) LastSearch() *record.SearchReport {
	u.t.Error("it was asked for a report")
	return nil
}

// A game keeps no more than 32 MiB of reports while it is played: here an earlier one leaves one byte.
func TestRefereeBoundsReports(t *testing.T) {
	g := smallGame()
	g.Add(tournament.Ply{Move: g.Record.Start.AppendMoves(nil)[0], Search: &record.SearchReport{Source: record.Source(strings.Repeat("x", 32<<20-14))}})
	seats := [2]*scripted{good(), good()}
	seats[rules.Defender].report = plyReport
	referee := tournament.Referee{Search: true, Played: func(_ *tournament.Game, ply tournament.Ply) {
		if ply.Search != nil {
			t.Errorf("%v is announced with %+v", ply.Move, ply.Search)
		}
	}}
	g, err := referee.Play(t.Context(), g, seats[rules.Attacker], seats[rules.Defender])
	if err != nil || len(g.Record.Moves) < 2 {
		t.Fatalf("%d moves, error %v", len(g.Record.Moves), err)
	}
	for i, s := range g.Record.Searches[1:] {
		if s != nil {
			t.Errorf("ply %d: kept %+v, want no more reports", i+1, s)
		}
	}
}

// searching plays random moves and reports on each.
type searching struct {
	drawing
	last rules.Position
}

func (s *searching) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	s.last = p
	return s.drawing.Choose(ctx, p)
}

func (s *searching) LastSearch() *record.SearchReport { return plyReport(s.last) }

// newSearching returns a runner of two bots. The first bot reports its searches.
func newSearching(e tournament.Event, j tournament.Journal) *tournament.Runner {
	r := newRunner(e, j, 1)
	r.Bots[0].(*counting).New = func(g players.Game) players.Player { return &searching{drawing: drawing{g.Seed}} }
	return r
}

// Reports go into the journal, before and after an interruption.
func TestRunnerJournalsReports(t *testing.T) {
	e := smallEvent(2, 2, 1)
	e.Search = true
	journal := newMemory()
	ctx, stop := context.WithCancel(t.Context())
	r := newSearching(e, journal)
	r.Watcher = &stopper{n: 17, stop: stop}
	if err := r.Run(ctx); !errors.Is(err, tournament.ErrInterrupted) {
		t.Fatal(err)
	}
	if err := newSearching(e, journal).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(journal.finished); n != 4 {
		t.Errorf("%d games are finished, want 4", n)
	}
	for _, g := range journal.finished {
		side := rules.Attacker
		if g.Record.Defender == "bot0" {
			side = rules.Defender
		}
		wantReports(t, &g.Record, side)
	}
}

// The runner journals reports only if the event wants them.
func TestRunnerJournalsWantedReports(t *testing.T) {
	for _, search := range []bool{true, false} {
		e := smallEvent(2, 2, 1)
		e.Search = search
		journal := newMemory()
		games, err := play(t.Context(), newSearching(e, journal))
		if err != nil || len(games) != 4 {
			t.Fatalf("%d games, error %v", len(games), err)
		}
		for i := range games {
			if journalled := games[i].Record.Searches; (journalled != nil) != search {
				t.Errorf("search %v: the journal has %d reports", search, len(journalled))
			}
		}
	}
}
