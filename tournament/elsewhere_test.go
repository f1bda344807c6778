package tournament_test

import (
	"context"
	"testing"

	"versus2048/tournament"
)

// busyExecutor works on each match even after its games: it checks them, as a farm does.
type busyExecutor struct {
	tournament.LocalExecutor
	settling chan struct{}
	checked  chan error
}

func (busyExecutor) Takes(...tournament.Entry) bool { return true }
func (busyExecutor) Room() int                      { return 1 }
func (busyExecutor) Changed() <-chan struct{}       { return nil }

func (v busyExecutor) Play(ctx context.Context, s tournament.MatchWork, d tournament.Recorder) error {
	err := v.LocalExecutor.Play(ctx, s, d)
	<-v.settling
	v.checked <- ctx.Err()
	return err
}

func (v busyExecutor) Settle(context.Context) error {
	close(v.settling)
	return <-v.checked
}

// The context of a match does not end with the last game, but when the executor has settled all its work.
func TestVenueIsBusyAfterTheLastGame(t *testing.T) {
	r := newRunner(smallEvent(2, 1, 1), newMemory(), 1)
	local := tournament.LocalExecutor{Bots: map[string]tournament.Bot{}}
	for _, b := range r.Bots {
		local.Bots[b.Identity().Name] = b
	}
	r.Elsewhere = busyExecutor{local, make(chan struct{}), make(chan error, 1)}
	if games, err := play(t.Context(), r); err != nil || len(games) != 2 {
		t.Errorf("%d games, error %v", len(games), err)
	}
}
