package tournament_test

import (
	"context"
	"testing"

	"versus2048/tournament"
)

// busyVenue still has to do with each match when its games are over: it checks them, as a farm does.
type busyVenue struct {
	tournament.Hall
	settling chan struct{}
	checked  chan error
}

func (busyVenue) Takes(...tournament.Entry) bool { return true }
func (busyVenue) Room() int                      { return 1 }
func (busyVenue) Changed() <-chan struct{}       { return nil }

func (v busyVenue) Play(ctx context.Context, s tournament.Sheet, d tournament.Desk) error {
	err := v.Hall.Play(ctx, s, d)
	<-v.settling
	v.checked <- ctx.Err()
	return err
}

func (v busyVenue) Settle(context.Context) error {
	close(v.settling)
	return <-v.checked
}

// The context of a match does not end with the last game, but when all that the venue has to do is settled.
func TestVenueIsBusyAfterTheLastGame(t *testing.T) {
	r := newRunner(smallEvent(2, 1, 1), newMemory(), 1)
	hall := tournament.Hall{Bots: map[string]tournament.Bot{}}
	for _, b := range r.Bots {
		hall.Bots[b.Identity().Name] = b
	}
	r.Elsewhere = busyVenue{hall, make(chan struct{}), make(chan error, 1)}
	if games, err := play(t.Context(), r); err != nil || len(games) != 2 {
		t.Errorf("%d games, error %v", len(games), err)
	}
}
