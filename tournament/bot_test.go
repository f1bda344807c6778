package tournament_test

import (
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// If a bot may only think for a limited time, its player gets that time as its time for a move, so
// that it does not mistake its deadlines for the end of its total time.
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

// A player gets the rules and the size of its game, so that it can prepare for them.
func TestPlayersKnowTheirGame(t *testing.T) {
	var got players.Game
	b := &tournament.LocalBot{Games: 1, New: func(g players.Game) players.Player {
		got = g
		return good()
	}}
	size := rules.Size{Width: 4, Height: 3}
	game := tournament.Game{Record: record.Record{Start: rules.NewPosition(rules.GPCC2016, size)}}
	b.Sit(tournament.Assignment{Game: game, Side: rules.Attacker, Seed: 5})
	if want := (players.Game{Seed: 5, Rules: rules.GPCC2016, Size: size}); got != want {
		t.Errorf("the player is told of %+v, want %+v", got, want)
	}
}
