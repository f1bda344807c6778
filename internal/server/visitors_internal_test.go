package server

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"versus2048/players/clock"
)

// Two visitors may be given the same free name at the same moment: only one gets it.
func TestInvitedOnce(t *testing.T) {
	r := newRoster(time.Second, clock.NewStalls())
	for range 2 {
		guest, err := r.invite("guest bob", netip.Prefix{})
		if err != nil {
			t.Fatal(err)
		}
		token := guest.token
		var alike *AlikeError
		if _, err := r.invite("guest bob", netip.Prefix{}); !errors.As(err, &alike) || guest.token != token {
			t.Errorf("the second visitor of that name: %v", err)
		}
		r.dismissGuest("guest bob", "the game is over")
	}
}
