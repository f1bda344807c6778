package tournament_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func firstGame(t *testing.T, r tournament.Referee) tournament.Game {
	t.Helper()
	g, err := r.Play(t.Context(), smallGame(), good(), good())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A game stops at the first position that an ending applies to.
func TestRefereeAdjudicates(t *testing.T) {
	whole := firstGame(t, tournament.Referee{})
	score := tournament.Summarize(&whole).Score / 2
	for ending, r := range map[record.Ending]tournament.Referee{
		record.MaxTurns: {Adjudication: tournament.Adjudication{MaxTurns: 3}},
		record.MaxTile:  {Adjudication: tournament.Adjudication{MaxTile: 4}},
		record.Decided:  {Adjudication: tournament.Adjudication{EarlyDecision: true}, Target: &score},
		record.Mate:     {Adjudication: tournament.Adjudication{MaxTurns: 1000, MaxTile: 1 << 16, EarlyDecision: true, Resign: true}},
	} {
		g := firstGame(t, r)
		if g.Record.Ending != ending || (ending != record.Mate) != (g.Record.Detail != "") {
			t.Errorf("ending %q (%s), want %q", g.Record.Ending, g.Record.Detail, ending)
		}
		if _, err := g.Record.Replay(); err != nil {
			t.Error(err)
		}
		if err := r.Adjudication.Check(&g.Record, r.Target); err != nil {
			t.Errorf("%s: %v", ending, err)
		}
		if ending == record.Mate {
			continue
		}
		if err := r.Adjudication.Check(&whole.Record, r.Target); err == nil || !strings.Contains(err.Error(), string(ending)) {
			t.Errorf("a game that continued after %s: %v", ending, err)
		}
		if err := (tournament.Adjudication{}).Check(&g.Record, nil); err == nil {
			t.Errorf("%s passes although the event does not have it", ending)
		}
		g.Record.Moves = g.Record.Moves[:len(g.Record.Moves)-2]
		if err := r.Adjudication.Check(&g.Record, r.Target); err == nil {
			t.Errorf("%s passes a turn too early", ending)
		}
	}
	if g := firstGame(t, tournament.Referee{Adjudication: tournament.Adjudication{MaxTurns: 3}}); g.Record.Turns() != 3 {
		t.Errorf("%d turns, want 3", g.Record.Turns())
	}
}

// An opening with the defender to move starts with half a turn.
func TestMaxTurnsFromAnOpening(t *testing.T) {
	g := smallGame()
	var err error
	if g.Record.Start, err = rules.ParsePosition(rules.GPCC2015, "2,0/0,2 D 0 1"); err != nil {
		t.Fatal(err)
	}
	r := tournament.Referee{Adjudication: tournament.Adjudication{MaxTurns: 3}}
	if g, err = r.Play(t.Context(), g, good(), good()); err != nil {
		t.Fatal(err)
	}
	if g.Record.Ending != record.MaxTurns || g.Record.Turns() != 3 || len(g.Record.Moves) != 5 {
		t.Errorf("ending %q after %d turns and %d plies", g.Record.Ending, g.Record.Turns(), len(g.Record.Moves))
	}
	if err := r.Adjudication.Check(&g.Record, nil); err != nil {
		t.Error(err)
	}
}

func TestResign(t *testing.T) {
	resign := func(context.Context, rules.Position) (rules.Move, error) { return 0, players.ErrResigned }
	for _, allowed := range []bool{true, false} {
		for side, ply := range map[rules.Side]int{rules.Attacker: 4, rules.Defender: 5} {
			seats := []tournament.Seat{good(), good()}
			seats[side] = badFrom(ply, resign)
			a := tournament.Adjudication{Resign: allowed}
			g, err := tournament.Referee{Adjudication: a}.Play(t.Context(), smallGame(), seats[0], seats[1])
			if err != nil {
				t.Fatal(err)
			}
			want := map[bool]record.Ending{true: record.Resigned, false: record.Disconnect}[allowed]
			winner, lost := g.Record.Winner()
			if g.Record.Ending != want || !lost || winner != side.Other() {
				t.Errorf("%v resigns: ending %q, winner %v %v; want %q", side, g.Record.Ending, winner, lost, want)
			}
			if strings.HasSuffix(g.Record.Detail, "which this event does not allow") == allowed {
				t.Errorf("%v resigns, allowed %v: %s", side, allowed, g.Record.Detail)
			}
			if s := tournament.Summarize(&g); s.Forfeited != (side == rules.Attacker) {
				t.Errorf("%v resigns: %+v", side, s)
			}
			if err := a.Check(&g.Record, nil); err != nil {
				t.Error(err)
			}
			if allowed && (tournament.Adjudication{}).Check(&g.Record, nil) == nil {
				t.Error("a resignation passes although the event does not allow it")
			}
		}
	}
}

func TestTarget(t *testing.T) {
	on := tournament.Adjudication{EarlyDecision: true}
	if target := on.Target(tournament.Summary{Score: 30}); target == nil || *target != 30 {
		t.Errorf("target %v, want 30", target)
	}
	if on.Target(tournament.Summary{Score: 30, Forfeited: true}) != nil || (tournament.Adjudication{}).Target(tournament.Summary{}) != nil {
		t.Error("a forfeit, or an event without early decision, sets a target")
	}
}

// takes returns a seat that needs these times for its first moves, one after another, and no time for its other moves.
func takes(roundTrip time.Duration, ms ...int) *scripted {
	return &scripted{roundTrip: roundTrip, choose: func(ctx context.Context, p rules.Position) (rules.Move, error) {
		took := time.Duration(0)
		if len(ms) > 0 {
			took, ms = time.Duration(ms[0])*time.Millisecond, ms[1:]
		}
		<-time.After(took) // virtual time
		return firstLegal(ctx, p)
	}}
}

func TestLenience(t *testing.T) {
	const second = tournament.Millis(time.Second)
	perMove := tournament.Clock{PerMove: time.Second}
	total := tournament.Clock{Base: 2 * time.Second, Increment: 500 * time.Millisecond}
	for name, tc := range map[string]struct {
		clock     tournament.Clock
		lenience  tournament.Lenience
		roundTrip time.Duration
		ms        []int
		plies     int // the defender is late after this number of plies; 0 means never
	}{
		"in time":                       {perMove, tournament.Lenience{}, 0, []int{1000, 1000}, 0},
		"late":                          {perMove, tournament.Lenience{}, 0, []int{1000, 1001}, 3},
		"within the margin":             {perMove, tournament.Lenience{Margin: second / 10}, 0, []int{1100, 1100, 1100}, 0},
		"beyond the margin":             {perMove, tournament.Lenience{Margin: second / 10}, 0, []int{1100, 1101}, 3},
		"an overdrawn total":            {total, tournament.Lenience{Margin: second / 10}, 0, []int{2100, 500, 501}, 5},
		"a round trip without lenience": {perMove, tournament.Lenience{}, time.Second, []int{1001}, 1},
		"a round trip given back":       {perMove, tournament.Lenience{Lag: second / 10}, 50 * time.Millisecond, []int{1050, 1050}, 0},
		"more than the round trip":      {perMove, tournament.Lenience{Lag: second / 10}, 50 * time.Millisecond, []int{1050, 1051}, 3},
		"more than the allowance":       {perMove, tournament.Lenience{Lag: second / 10}, time.Minute, []int{1100, 1101}, 3},
		"both":                          {perMove, tournament.Lenience{second / 10, second / 10}, time.Minute, []int{1200, 1201}, 3},
		"a total with round trips":      {tournament.Clock{Base: time.Second}, tournament.Lenience{Lag: second}, 200 * time.Millisecond, []int{500, 500, 601}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, err := tournament.Referee{Clock: tc.clock, Lenience: tc.lenience}.Play(t.Context(), smallGame(), good(), takes(tc.roundTrip, tc.ms...))
				if err != nil {
					t.Fatal(err)
				}
				if late := g.Record.Ending == record.Time; late != (tc.plies > 0) || late && len(g.Record.Moves) != tc.plies {
					t.Errorf("ending %q (%s) after %d plies", g.Record.Ending, g.Record.Detail, len(g.Record.Moves))
				}
			})
		})
	}
}

// Recorded times leave out the time that was given back, so that a resumed game has the
// same clock.
func TestTimesWithoutLenience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tournament.Referee{Clock: tournament.Clock{Base: time.Minute}, Lenience: tournament.Lenience{Lag: tournament.Millis(time.Second)}}
		g, err := r.Play(t.Context(), smallGame(), good(), takes(30*time.Millisecond, 100, 10))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := g.Record.Times[1], g.Record.Times[3]; a != 70*time.Millisecond || b != 0 {
			t.Errorf("times %v and %v, want 70ms and 0", a, b)
		}
	})
}

func TestSettingsValidate(t *testing.T) {
	for want, s := range map[string]tournament.Settings{
		"-1 turns":            {Adjudication: tournament.Adjudication{MaxTurns: -1}},
		"tile 1000":           {Adjudication: tournament.Adjudication{MaxTile: 1000}},
		"tile 4":              {Adjudication: tournament.Adjudication{MaxTile: 4}},
		"margin -1ns":         {Lenience: tournament.Lenience{Margin: -1}},
		"lag 11s":             {Lenience: tournament.Lenience{Lag: tournament.Millis(11 * time.Second)}},
		"-1 faults":           {Strikes: tournament.Strikes{Faults: -1}},
		`"halve"`:             {Strikes: tournament.Strikes{Faults: 1, Games: "halve"}},
		"number of faults":    {Strikes: tournament.Strikes{Games: tournament.VoidGames}},
		"absent at most -1ms": {Absent: tournament.Millis(-time.Millisecond)},
		"absent at most 1001": {Absent: tournament.Millis(1001 * time.Hour)},
		"open ladder has":     {Absent: tournament.Millis(time.Minute), Plan: tournament.Plan{Kind: tournament.Ladder, Open: tournament.OpenAll}},
		"10 nodes":            {Budget: players.Effort{Nodes: 10}},
		"playouts":            {Budget: players.Effort{Playouts: 1e9}},
		"opening 2":           {Openings: tournament.Openings{Starts: []string{"2,0,0/0,0,0 D", "2,0/0,0 D"}}},
		"the board is":        {Openings: tournament.Openings{Starts: []string{"2,0/0,0 D"}}},
		"is mated":            {Openings: tournament.Openings{Starts: []string{"2,4,2/4,2,4 D"}}},
		"a tile of 16":        {Openings: tournament.Openings{Starts: []string{"16,0,0/0,0,0 D"}}, Adjudication: tournament.Adjudication{MaxTile: 16}},
		"10001 opening":       {Openings: tournament.Openings{Starts: make([]string, 10_001)}},
	} {
		e := smallEvent(2, 1, 1)
		e.Settings = s
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	e := smallEvent(2, 1, 1)
	e.Settings.Budget.Playouts = 1
	if err := errors.Join(e.Validate(), players.Effort{}.Validate()); err != nil {
		t.Error(err)
	}
}
