package roster

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"versus2048/players/clock"
)

// Two visitors may be given the same free name at the same moment: only one gets it.
func TestInvitedOnce(t *testing.T) {
	r := New(time.Second, clock.NewStalls())
	for range 2 {
		guest, err := r.Invite("guest bob", netip.Prefix{})
		if err != nil {
			t.Fatal(err)
		}
		token := guest.Token
		var alike *AlikeError
		if _, err := r.Invite("guest bob", netip.Prefix{}); !errors.As(err, &alike) || guest.Token != token {
			t.Errorf("the second visitor of that name: %v", err)
		}
		r.DismissGuest("guest bob", "the game is over")
	}
}
