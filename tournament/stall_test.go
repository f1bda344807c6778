package tournament_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// stalling is a clock.Source with stalls chosen by a test.
type stalling struct {
	began   time.Time
	stalled atomic.Int64 // a time.Duration, as is the next
	lag     atomic.Int64
}

func (s *stalling) Running(now time.Time) time.Duration {
	return now.Sub(s.began) - time.Duration(s.stalled.Load())
}

func (s *stalling) Lag() time.Duration { return time.Duration(s.lag.Load()) }

// The arena's own stalls cost no player time, and are recorded. A player's own time counts.
func TestRefereeGivesStallsBack(t *testing.T) {
	for name, tc := range map[string]struct {
		stall, think time.Duration // at ply 4
		ending       record.Ending
	}{
		"stall":                   {20 * time.Second, 900 * time.Millisecond, record.Mate},
		"stall and short wait":    {20 * time.Second, time.Second + clock.Recovery, record.Mate},
		"stall and slow player":   {20 * time.Second, time.Second + clock.Recovery + 1, record.Time},
		"slow player":             {0, time.Second + 1, record.Time},
		"stall of a total clock":  {3 * time.Hour, 0, record.Mate},
		"short stall, slow again": {500 * time.Millisecond, 1200 * time.Millisecond, record.Time},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := &stalling{began: time.Now()}
				player := &scripted{choose: func(ctx context.Context, p rules.Position) (rules.Move, error) {
					if p.Ply() == 4 {
						source.stalled.Add(int64(tc.stall))
						<-time.After(tc.stall + tc.think) // virtual time
					}
					return firstLegal(ctx, p)
				}}
				r := tournament.Referee{Clock: tournament.Clock{PerMove: time.Second, Base: time.Minute}, Running: source}
				var told tournament.Ply
				r.Played = func(g *tournament.Game, ply tournament.Ply) {
					if len(g.Record.Moves) == 5 {
						told = ply
					}
				}
				g, err := r.Play(t.Context(), smallGame(), player, good())
				if err != nil {
					t.Fatal(err)
				}
				if g.Record.Ending != tc.ending {
					t.Fatalf("ending %q: %s, want %q", g.Record.Ending, g.Record.Detail, tc.ending)
				}
				if tc.stall > 0 && (len(g.Record.Pauses) != 1 || g.Record.Pauses[0] != record.Pause{Ply: 4, Stall: tc.stall}) {
					t.Errorf("pauses on record: %+v", g.Record.Pauses)
				}
				if tc.ending == record.Mate && (told.Stall != tc.stall || g.Record.Times[4] != tc.think) {
					t.Errorf("the ply took %v with a stall of %v, want %v and %v", g.Record.Times[4], told.Stall, tc.think, tc.stall)
				}
			})
		})
	}
}

// A player in the arena's process that gave up because of a stall is asked again.
func TestLocalPlayerAfterStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &stalling{began: time.Now()}
		asked := 0
		bot := &tournament.LocalBot{Games: 1, New: func(players.Game) players.Player { return impatient{source, &asked} }}
		g, err := tournament.Referee{Clock: tournament.Clock{PerMove: time.Second}, Running: source}.Play(t.Context(), smallGame(), bot.Sit(tournament.Assignment{}), good())
		if err != nil || g.Record.Ending != record.Mate || asked == 0 {
			t.Errorf("ending %q: %s after %d stalls, error %v", g.Record.Ending, g.Record.Detail, asked, err)
		}
	})
}

// impatient gives up as soon as its context ends.
type impatient struct {
	source *stalling
	asked  *int
}

func (i impatient) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if p.Ply() == 4 && *i.asked == 0 {
		*i.asked++
		i.source.stalled.Add(int64(10 * time.Second))
		<-time.After(10 * time.Second) // virtual time
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return p.AppendMoves(nil)[0], nil
}
