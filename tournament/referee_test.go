package tournament_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// scripted is a seat with answers chosen by a test.
type scripted struct {
	choose    func(ctx context.Context, p rules.Position) (rules.Move, error)
	heard     []rules.Move
	complaint string
	roundTrip time.Duration
	report    func(p rules.Position) *record.SearchReport // nil: it does not search
}

// Choose makes the script a players.Player, too.
func (s *scripted) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	return s.choose(ctx, p)
}

// Ask lets the script end its turn as a player does, by its context's deadline.
func (s *scripted) Ask(ctx context.Context, p rules.Position, turn *clock.Turn) players.Reply {
	if turn.Limited() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, turn.Left())
		defer cancel()
	}
	m, err := s.choose(ctx, p)
	r := players.Reply{Move: m, Err: err, Lag: time.Millisecond, RoundTrip: s.roundTrip, Complaint: s.complaint}
	if s.report != nil {
		r.Search = s.report(p)
	}
	return r
}

func (s *scripted) Played(m rules.Move)        { s.heard = append(s.heard, m) }
func (s *scripted) Log() []byte                { return nil }
func (s *scripted) Over(tournament.GameResult) {}

func firstLegal(_ context.Context, p rules.Position) (rules.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

// badFrom returns a seat that plays the first legal move, and from that ply on bad.
func badFrom(ply int, bad func(context.Context, rules.Position) (rules.Move, error)) *scripted {
	return &scripted{choose: func(ctx context.Context, p rules.Position) (rules.Move, error) {
		if p.Ply() >= ply {
			return bad(ctx, p)
		}
		return firstLegal(ctx, p)
	}}
}

func smallGame() tournament.Game {
	return tournament.Game{ID: 7, Record: record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}), Ending: record.Unfinished}}
}

func good() *scripted { return &scripted{choose: firstLegal} }

func TestRefereePlaysToTheMate(t *testing.T) {
	attacker, defender := good(), good()
	g, err := tournament.Referee{}.Play(t.Context(), smallGame(), attacker, defender)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Record.Replay(); err != nil || g.Record.Ending != record.Mate {
		t.Fatalf("ending %q, replay: %v", g.Record.Ending, err)
	}
	if n := len(g.Record.Moves); len(attacker.heard) != n || len(defender.heard) != n || len(g.Record.Times) != n || g.Record.Lags[0] != time.Millisecond {
		t.Fatalf("of %d plies the seats heard %d and %d, %d times on record", n, len(attacker.heard), len(defender.heard), len(g.Record.Times))
	}
}

func TestRefereeFaults(t *testing.T) {
	stall := func(ctx context.Context, _ rules.Position) (rules.Move, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	late := func(_ context.Context, p rules.Position) (rules.Move, error) {
		<-time.After(2 * time.Second) // virtual time: a player that does not look at its clock
		return p.AppendMoves(nil)[0], nil
	}
	fail := func(err error) func(context.Context, rules.Position) (rules.Move, error) {
		return func(context.Context, rules.Position) (rules.Move, error) { return 0, err }
	}
	illegal := func(context.Context, rules.Position) (rules.Move, error) { return rules.Move(99), nil }
	for name, tc := range map[string]struct {
		bad    func(context.Context, rules.Position) (rules.Move, error)
		ending record.Ending
		detail string
	}{
		"illegal move":     {illegal, record.IllegalMove, "illegal move"},
		"no move at all":   {fail(&rules.NotationError{Text: "Q9"}), record.IllegalMove, "Q9"},
		"never answers":    {stall, record.Time, "no answer within 1s"},
		"answers late":     {late, record.Time, "no answer within 1s"},
		"gone":             {fail(players.ErrGone), record.Disconnect, "gone"},
		"breaks down":      {fail(errors.New("boom")), record.Disconnect, "boom"},
		"complained about": {stall, record.Time, "answered for another game"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for side, ply := range map[rules.Side]int{rules.Attacker: 4, rules.Defender: 5} {
					seats := []tournament.Seat{good(), good()}
					faulty := badFrom(ply, tc.bad)
					if name == "complained about" {
						faulty.complaint = tc.detail
					}
					seats[side] = faulty
					g, err := tournament.Referee{Clock: tournament.Clock{PerMove: time.Second}}.Play(t.Context(), smallGame(), seats[0], seats[1])
					if err != nil {
						t.Fatal(err)
					}
					winner, ok := g.Record.Winner()
					if g.Record.Ending != tc.ending || !ok || winner != side.Other() || len(g.Record.Moves) != ply {
						t.Errorf("%v fails at ply %d: ending %q, winner %v %v after %d plies", side, ply, g.Record.Ending, winner, ok, len(g.Record.Moves))
					}
					if !strings.Contains(g.Record.Detail, tc.detail) {
						t.Errorf("detail %q lacks %q", g.Record.Detail, tc.detail)
					}
				}
			})
		})
	}
}

func TestRefereeRunsTheTotalClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &scripted{choose: func(ctx context.Context, p rules.Position) (rules.Move, error) {
			<-time.After(3 * time.Second) // virtual time
			return firstLegal(ctx, p)
		}}
		// 10 s, +1 s a move: moves end at 3, 6, 9 of 10, 11, 12; 12 of 13; 15 of 14.
		g, err := tournament.Referee{Clock: tournament.Clock{Base: 10 * time.Second, Increment: time.Second}}.Play(t.Context(), smallGame(), good(), slow)
		if err != nil {
			t.Fatal(err)
		}
		if g.Record.Ending != record.Time || len(g.Record.Moves) != 9 {
			t.Fatalf("ending %q after %d plies, want time after 9", g.Record.Ending, len(g.Record.Moves))
		}
	})
}

func TestRefereeResumes(t *testing.T) {
	whole, err := tournament.Referee{}.Play(t.Context(), smallGame(), good(), good())
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole.Record.Moves {
		g := smallGame()
		g.Record.Moves = append(g.Record.Moves, whole.Record.Moves[:cut]...)
		g.Record.Times = append(g.Record.Times, whole.Record.Times[:cut]...)
		g.Record.Lags = append(g.Record.Lags, whole.Record.Lags[:cut]...)
		g, err := tournament.Referee{}.Play(t.Context(), g, good(), good())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.Record.Moves, whole.Record.Moves) || g.Record.Ending != record.Mate {
			t.Fatalf("cut at %d: moves %v, ending %q, want %v", cut, g.Record.Moves, g.Record.Ending, whole.Record.Moves)
		}
	}
}

func TestRefereeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stopped := badFrom(5, func(_ context.Context, p rules.Position) (rules.Move, error) {
		cancel()
		return p.AppendMoves(nil)[0], nil
	})
	g, err := tournament.Referee{}.Play(ctx, smallGame(), good(), stopped)
	if !errors.Is(err, tournament.ErrInterrupted) {
		t.Fatalf("error %v, want ErrInterrupted", err)
	}
	if g.Record.Ending != record.Unfinished || len(g.Record.Moves) != 5 {
		t.Fatalf("ending %q after %d plies", g.Record.Ending, len(g.Record.Moves))
	}
}
