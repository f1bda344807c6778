package tournament_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

// During a pause the games in progress continue to their end and no others start. The
// event then resumes, or is interrupted.
func TestPause(t *testing.T) {
	for _, resumes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			journal, pauses := newMemory(), make(chan bool)
			r := newRunner(smallEvent(3, 50, 4), journal, 4)
			r.Pauses = pauses
			var games []tournament.Game
			ended := make(chan error)
			go func() {
				var err error
				games, err = play(ctx, r)
				ended <- err
			}()
			pauses <- true
			synctest.Wait() // until nothing is played any more
			paused := len(journal.finished)
			if len(journal.open) > 0 || paused >= 300 {
				t.Fatalf("%d games in progress, %d finished", len(journal.open), paused)
			}
			want, wantGames := error(tournament.ErrInterrupted), paused
			if resumes {
				pauses <- false
				want, wantGames = nil, 300
			} else {
				stop()
			}
			if err := <-ended; !errors.Is(err, want) || len(games) != wantGames {
				t.Errorf("%d games, error %v, want %d and %v; paused after %d", len(games), err, wantGames, want, paused)
			}
		})
	}
}

// An event with no more games to start ends although it is paused.
func TestPauseOfTheLastGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pauses, paused := make(chan bool), make(chan struct{})
		r := newRunner(smallEvent(2, 1, 2), newMemory(), 2)
		r.Pauses = pauses
		r.Bots[0].(*counting).New = func(players.Game) players.Player {
			return &scripted{choose: func(ctx context.Context, p rules.Position) (rules.Move, error) {
				<-paused
				return firstLegal(ctx, p)
			}}
		}
		ended := make(chan error, 1)
		go func() { ended <- r.Run(t.Context()) }()
		pauses <- true
		close(paused)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
