package tournament_test

import (
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

// A player whose bot may only think for so long is told so as its time for a move: its deadlines are not the end
// of the total.
func TestMostIsATimeForAMove(t *testing.T) {
	for _, tc := range []struct{ perMove, most, want time.Duration }{
		{0, 0, 0}, {time.Second, 0, time.Second}, {0, time.Second, time.Second}, {time.Minute, time.Second, time.Second}, {time.Second, time.Minute, time.Second},
	} {
		var got players.Clock
		b := &tournament.LocalBot{Games: 1, Most: tc.most, New: func(g players.Game) players.Player {
			got = g.Clock
			return good()
		}}
		b.Sit(tournament.Assignment{Side: rules.Defender, Clock: tournament.Clock{PerMove: tc.perMove, Base: time.Hour}})
		if want := (players.Clock{PerMove: tc.want, Base: time.Hour}); got != want {
			t.Errorf("%+v: the player is told of %+v, want %+v", tc, got, want)
		}
	}
}
